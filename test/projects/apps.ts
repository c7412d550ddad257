import { project } from './shared.js'

// Servers, compilers and editors, which change what is global.
export default project({ name: 'apps', include: ['test/{docs,board,server,editor}/**/*.test.ts'] })
