import { project } from './shared.js'

export default project({ name: 'plain', include: ['test/adapters/plain/**/*.test.ts'] })
