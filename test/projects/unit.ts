import { configDefaults } from 'vitest/config'
import { at, project } from './shared.js'

export default project({
  name: 'unit',
  include: ['test/*.test.ts', 'test/{core,devtools,openapi,spec,simulation,benchmarks-smoke}/**/*.test.ts'],
  test: {
    // A process runs many files, and loads core once: these tests put back what they replace.
    isolate: false,
    // In such a process, a timer of an earlier test could load its code from modules that were reset: see plain.ts.
    exclude: [...configDefaults.exclude, '**/*.long.test.ts', '**/*.alone.test.ts'],
    setupFiles: [at('test/no-network.ts'), at('test/property-seed.ts')],
  },
})
