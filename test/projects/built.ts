import { defineConfig, type ViteUserConfig } from 'vitest/config'
import plain from './plain.js'
import react from './react.js'
import { project } from './shared.js'
import svelte from './svelte.js'
import vue from './vue.js'

const tests = '{contract,contract-*,server,*-server,server-*}.test.{ts,tsx}'

/** Of a project those files alone. */
function only(config: ViteUserConfig, include: string[]): ViteUserConfig {
  return { ...config, test: { ...config.test, include } }
}

// What the packages in dist can show, which are built first; scripts/test-long.mjs sets BUILT.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project({ name: 'built', include: ['test/built/**/*.test.ts'] }),
      only(plain, [`test/adapters/plain/${tests}`]),
      only(react, [`test/adapters/react/**/${tests}`, 'test/adapters/react-server/*.test.tsx']),
      only(vue, [`test/adapters/vue/**/${tests}`]),
      only(svelte, [`test/adapters/svelte/**/${tests}`]),
    ],
  },
})
