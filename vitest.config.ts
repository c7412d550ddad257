import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformAsync } from '@babel/core'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import vue, { type Options as VueOptions } from '@vitejs/plugin-vue'
import { defaultClientConditions, defaultServerConditions, type Plugin } from 'vite'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/** Packages are read from their sources, so no test waits for a build; with BUILT=1 from their dist folders, as users get them. */
const source = process.env.BUILT ? [] : ['@roundtable/source']
const conditions = [...source, ...defaultClientConditions]
const serverConditions = [...source, ...defaultServerConditions]
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

interface Room {
  readonly name: string
  readonly include: readonly string[]
  readonly plugins?: readonly Plugin[]
  readonly alias?: readonly { find: RegExp; replacement: string }[]
  readonly inline?: readonly (string | RegExp)[]
  readonly test?: TestProjectInlineConfiguration['test']
}

/**
 * Limits are there against hanging alone: a machine with much else to do takes ten times as long. What waits for something ends before its
 * test does, so that the message says what did not come.
 */
const limits = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
}

function project(room: Room): TestProjectInlineConfiguration {
  return {
    plugins: [...(room.plugins ?? [])],
    resolve: { conditions, alias: [...(room.alias ?? [])] },
    ssr: { resolve: { conditions: serverConditions } },
    // The pages' snippets are run in a temporary folder. Nothing is served: this only lets their files be read.
    server: { fs: { strict: false } },
    test: {
      ...limits,
      name: room.name,
      include: [...room.include],
      server: { deps: { inline: [...(room.inline ?? [])] } },
      ...room.test,
    },
  }
}

const inBrowserDocument = { environment: 'happy-dom' } as const
/** A process runs many files, and loads the framework once: these tests put back what they replace. */
const inOneDocument = { ...inBrowserDocument, isolate: false } as const
const reactTests = ['test/adapters/react/**/*.test.{ts,tsx}']
const reactTestingLibrary = /@testing-library\/react/

/** React 18 from its own workspace; the testing library's ESM file, so that its imports are seen too. */
const react18 = [
  { find: /^react$/, replacement: at('./test/react18/node_modules/react/index.js') },
  { find: /^react\/(jsx-(?:dev-)?runtime)$/, replacement: at('./test/react18/node_modules/react/$1.js') },
  { find: /^react-dom$/, replacement: at('./test/react18/node_modules/react-dom/index.js') },
  { find: /^react-dom\/([a-z-]+)$/, replacement: at('./test/react18/node_modules/react-dom/$1.js') },
  {
    find: /^@testing-library\/react$/,
    replacement: at('./node_modules/@testing-library/react/dist/@testing-library/react.esm.js'),
  },
]

const vueTests = ['test/adapters/vue/**/*.test.ts']

/** Vue 3.4 from its own workspace, and its compiler: destructured props are reactive only since 3.5. */
const vue34 = [
  { find: /^vue$/, replacement: at('./test/vue3.4/node_modules/vue/index.mjs') },
  { find: /^vue\/server-renderer$/, replacement: at('./test/vue3.4/node_modules/vue/server-renderer/index.mjs') },
  { find: /^vue\/dist\//, replacement: at('./test/vue3.4/node_modules/vue/dist/') },
]
/** Loaded when it is first needed: who has pulled and not yet installed can run the other projects. */
const vue34Compiler = new Proxy({} as NonNullable<VueOptions['compiler']>, {
  get: (_, name) => Reflect.get(createRequire(at('./test/vue3.4/'))('vue/compiler-sfc'), name),
})

/** Compiles the adapter and its tests with React Compiler before anything else sees them. */
function reactCompiler(): Plugin {
  return {
    name: 'react-compiler',
    enforce: 'pre',
    async transform(code, id) {
      const [file = ''] = id.split('?')
      if (!/\/(?:adapters\/react\/src|test\/adapters\/react(?:-compiler)?)\/.*\.tsx?$/.test(file)) return null
      const result = await transformAsync(code, {
        filename: file,
        babelrc: false,
        configFile: false,
        sourceMaps: true,
        presets: [['@babel/preset-typescript', { onlyRemoveTypeImports: true }]],
        plugins: ['babel-plugin-react-compiler'],
        parserOpts: { plugins: file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
      })
      return result?.code ? { code: result.code, map: result.map ?? null } : null
    },
  }
}

/** Those of Chromium that take long: `npm run test:acceptance` runs them, so that `npm test` stays short. */
const longBrowserTests = [
  'test/browser/adapters/**/*.test.ts',
  'test/browser/benchmarks-smoke.test.ts',
  'test/browser/board-axe.test.ts',
  'test/browser/board-failures.test.ts',
  'test/browser/board-long-lists.test.ts',
  'test/browser/board-looks.test.ts',
  'test/browser/devtools*.test.ts',
  'test/browser/reads/**/*.test.ts',
]

const projects = [
  project({
    name: 'unit',
    include: ['test/*.test.ts', 'test/{core,devtools,spec,simulation,benchmarks-smoke}/**/*.test.ts'],
    // A process runs many files, and loads core once: these tests put back what they replace.
    test: { isolate: false, setupFiles: [at('./test/property-seed.ts')] },
  }),
  // Servers, compilers and editors, which change what is global.
  project({ name: 'apps', include: ['test/{docs,board,server,editor}/**/*.test.ts'] }),
  // What only the packages in dist can show; they are built first.
  ...(process.env.BUILT ? [project({ name: 'built', include: ['test/built/**/*.test.ts'] })] : []),
  // The documentation site, which scripts/test-docs.mjs builds first.
  ...(process.env.SITE ? [project({ name: 'site', include: ['test/site/**/*.test.ts'] })] : []),
  project({ name: 'plain', include: ['test/adapters/plain/**/*.test.ts'] }),
  // React 18 knows no server components.
  project({
    name: 'react',
    include: [...reactTests, 'test/adapters/react-server/**/*.test.tsx'],
    alias: [{ find: /^next\/navigation\.js$/, replacement: at('./test/adapters/react-server/next-navigation.ts') }],
    test: inOneDocument,
  }),
  project({
    name: 'react18',
    include: [...reactTests, 'test/adapters/react18/**/*.test.ts'],
    alias: react18,
    inline: [reactTestingLibrary],
    test: inOneDocument,
  }),
  project({
    name: 'react-compiler',
    include: [...reactTests, 'test/adapters/react-compiler/**/*.test.tsx'],
    plugins: [reactCompiler()],
    test: inOneDocument,
  }),
  project({
    name: 'vue',
    include: vueTests,
    plugins: [vue()],
    test: inBrowserDocument,
  }),
  project({
    name: 'vue3.4',
    include: [...vueTests, 'test/adapters/vue3.4/**/*.test.ts'],
    plugins: [vue({ compiler: vue34Compiler })],
    alias: vue34,
    test: inBrowserDocument,
  }),
  project({
    name: 'svelte',
    // The page that all three share needs what Svelte needs.
    include: ['test/adapters/svelte/**/*.test.ts', 'test/adapters/shared-page.test.ts'],
    plugins: svelte({ configFile: false, compilerOptions: { experimental: { async: true } } }),
    alias: ['environment', 'navigation', 'server'].map((name) => ({
      find: new RegExp(`^\\$app/${name}$`),
      replacement: at(`./test/adapters/svelte/kit/app-${name}.ts`),
    })),
    inline: [/^svelte/, /@testing-library\/svelte/],
    test: inOneDocument,
  }),
  project({
    name: 'types',
    include: [],
    test: {
      typecheck: {
        enabled: true,
        only: true,
        include: ['test/types/**/*.test-d.{ts,tsx}'],
        tsconfig: at('./test/types/tsconfig.json'),
        // Errors of the sources are reported by the type check of each package.
        ignoreSourceErrors: true,
      },
    },
  }),
  // Applications that `npm run test:packages` installs first.
  ...(process.env.CONSUMERS_FOLDER ? [project({ name: 'packages', include: ['test/packages/*.test.ts'] })] : []),
  // Examples that `npm run test:ssr` installs first.
  ...(process.env.SSR_FOLDER
    ? [project({ name: 'ssr', include: ['test/ssr/**/*.test.ts'], test: { fileParallelism: false } })]
    : []),
  project({
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    test: { fileParallelism: false, exclude: [...longBrowserTests] },
  }),
  ...(process.env.ACCEPTANCE
    ? [project({ name: 'acceptance', include: longBrowserTests, test: { fileParallelism: false } })]
    : []),
]

export default defineConfig({
  test: { projects, passWithNoTests: true, maxWorkers: 2 },
})
