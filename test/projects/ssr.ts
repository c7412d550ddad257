import { BUILDS } from '../hangs.js'
import { project } from './shared.js'

// Examples that scripts/test-ssr.mjs installs first.
export default project({
  name: 'ssr',
  include: ['test/ssr/**/*.test.ts'],
  test: { fileParallelism: false, hookTimeout: 3 * BUILDS, testTimeout: 2 * BUILDS },
})
