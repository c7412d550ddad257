import { configDefaults, defineConfig } from 'vitest/config'
import dataClient from './data-client.js'
import reactCompiler from './react-compiler.js'
import react18 from './react18.js'
import { at, project } from './shared.js'
import svelte from './svelte.js'
import vue34 from './vue3.4.js'

const everywhere = 'test/{,core/**/,openapi/,benchmarks-smoke/,docs/,board/,editor/}*.long.test.ts'

// What would make `npm test` long: files named *.long.test.ts, all random programs, and the adapters with other
// versions of their frameworks.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project({ name: 'long', include: [everywhere], test: { exclude: configDefaults.exclude } }),
      {
        ...svelte,
        test: {
          ...svelte.test,
          name: 'svelte-long',
          include: ['test/adapters/*.long.test.ts'],
          exclude: configDefaults.exclude,
        },
      },
      project({
        name: 'random',
        include: [
          'test/core/**/*.property.test.ts',
          'test/core/table/random-graphs.test.ts',
          'test/core/hydration/rules.test.ts',
          'test/simulation/**/*.test.ts',
        ],
        test: {
          isolate: false,
          setupFiles: [at('test/no-network.ts'), at('test/property-seed.ts')],
          env: { RANDOM_CASES: 'all' },
        },
      }),
      react18,
      dataClient,
      reactCompiler,
      vue34,
    ],
  },
})
