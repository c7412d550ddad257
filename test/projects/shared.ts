import { fileURLToPath } from 'node:url'
import { defaultClientConditions, defaultServerConditions, type Plugin } from 'vite'
import { configDefaults, type ViteUserConfig } from 'vitest/config'
import { HANGS } from '../hangs.js'

/**
 * Packages are read from their sources, so no test waits for a build; with BUILT=1 from their dist folders, as users
 * get them.
 */
const source = process.env.BUILT ? [] : ['@roundtable/source']

/** The path of a file of the repository. @example at('test/svelte.config.js') */
export const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** What differs between the projects; the rest is the same for all. */
interface Project {
  readonly name: string
  readonly include: readonly string[]
  readonly plugins?: readonly Plugin[]
  readonly alias?: readonly { find: string | RegExp; replacement: string }[]
  readonly inline?: readonly (string | RegExp)[]
  readonly test?: ViteUserConfig['test']
}

/** Limits guard against hanging alone. A test may wait several times, and must not end before what it waits for. */
const limits = {
  testTimeout: 5 * HANGS,
  hookTimeout: 5 * HANGS,
  teardownTimeout: HANGS,
  expect: { poll: { timeout: HANGS, interval: 20 } },
}

/**
 * The configuration of one project, which Vitest also runs by itself, without loading the frameworks of the others:
 * `npx vitest -c test/projects/unit.ts`.
 */
export function project({ name, include, plugins = [], alias = [], inline = [], test }: Project): ViteUserConfig {
  return {
    plugins: [...plugins],
    resolve: { conditions: [...source, ...defaultClientConditions], alias: [...alias] },
    ssr: { resolve: { conditions: [...source, ...defaultServerConditions] } },
    // The pages' snippets are run in a temporary folder. Nothing is served: this only lets their files be read.
    server: { fs: { strict: false } },
    test: {
      ...limits,
      name,
      include: [...include],
      setupFiles: [at('test/no-network.ts')],
      exclude: [...configDefaults.exclude, '**/*.long.test.ts'],
      maxWorkers: 2,
      // What was transformed once is read from the disk by the next run, as long as neither the file nor this
      // configuration changes. Several runs at once, as of .ci/run, would write the same files.
      experimental: { fsModuleCache: !process.env.CI },
      server: { deps: { inline: [...inline] } },
      ...test,
    },
  }
}

/** A process runs many files, and loads the framework once: these tests put back what they replace. */
export const inOneDocument = { environment: 'happy-dom', isolate: false } as const
