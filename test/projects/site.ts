import { project } from './shared.js'

// The documentation site, which scripts/test-docs.mjs builds first.
export default project({ name: 'site', include: ['test/site/**/*.test.ts'] })
