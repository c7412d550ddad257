import { project } from './shared.js'

// Applications that scripts/test-packages.mjs installs first.
export default project({ name: 'packages', include: ['test/packages/*.test.ts'] })
