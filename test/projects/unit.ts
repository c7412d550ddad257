import { at, project } from './shared.js'

export default project({
  name: 'unit',
  include: ['test/*.test.ts', 'test/{core,devtools,openapi,spec,simulation,benchmarks-smoke}/**/*.test.ts'],
  // A process runs many files, and loads core once: these tests put back what they replace.
  test: { isolate: false, setupFiles: [at('test/no-network.ts'), at('test/property-seed.ts')] },
})
