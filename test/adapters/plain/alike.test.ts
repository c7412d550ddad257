import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ADAPTERS = ['react', 'vue', 'svelte'] as const
type Adapter = (typeof ADAPTERS)[number]

const folder = (adapter: Adapter): string =>
  fileURLToPath(new URL(`../../../adapters/${adapter}/src/`, import.meta.url))

/**
 * Files that only one adapter has: React's entry points for server components, and for routes that a server renders;
 * what joins a framework of applications (Next, Nuxt, SvelteKit), which provides controllers; what Vue's boundaries do
 * with parts that failed on a server. Svelte's components are in files of their kind.
 */
const ITS_OWN = /^(?:react-server|hydrate|ssr|next.*|nuxt.*|kit.*|server-errors)\.ts$/
/** Where a framework's own word for providing a controller stands. */
const PROVIDERS = [
  'DataProvider',
  'DataProviderProps',
  'createDataClient',
  'DataClient',
  'DataClientOptions',
  'setController',
]
/** Types of what the frameworks hand to what shows an error, and of arguments and data that change. */
const DIALECT =
  /^(?:ErrorFallbackProps|ErrorSlotProps|ErrorSnippetProps|(?:Async|Error)Boundary(?:Props|Slots)|Current|Loaded|ReadonlyRef|OrNull|serverErrors|Reactive|ReactiveOrNull)$/

function files(adapter: Adapter): string[] {
  return readdirSync(folder(adapter), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !ITS_OWN.test(entry.name))
    .map(({ name }) => name.replace('.svelte.ts', '.ts'))
    .sort()
}

function source(adapter: Adapter, file: string): string {
  const name = readdirSync(folder(adapter)).find((entry) => entry.replace('.svelte.ts', '.ts') === file)
  return readFileSync(`${folder(adapter)}${name}`, 'utf8')
}

/** The names that a package exports. */
function names(adapter: Adapter): string[] {
  const lists = [...source(adapter, 'index.ts').matchAll(/export (?:type )?\{([^}]*)\}/g)].map(([, list = '']) => list)
  return lists
    .flatMap((list) => list.split(','))
    .map((name) =>
      name
        .replace(/^\s*type /, '')
        .replace(/^.* as /, '')
        .trim(),
    )
    .filter((name) => name !== '' && !PROVIDERS.includes(name) && !DIALECT.test(name))
    .sort()
}

/** What an adapter imports from core beside types. Kinds of observers come with the hooks that use them. */
const IMPORTS_OF_CORE: Readonly<Record<string, readonly string[]>> = {
  'data-provider.ts': ['Controller'],
  'error-boundary.ts': ['recovery'],
  'use-dle.ts': ['follower'],
  'use-error.ts': ['failure'],
  'use-fetching.ts': ['reading'],
  'use-loading.ts': ['toError'],
  'use-mutating.ts': ['mutating'],
  'use-subscription.ts': ['poll'],
}
const IMPORTS_OF_PAGES: Readonly<Record<Adapter, readonly string[]>> = {
  // Its component keeps what it follows with the rest of what it reads.
  react: ['pagesOf'],
  vue: ['follower', 'pagesOf'],
  svelte: ['follower', 'pagesOf'],
}

/** The names that a file and the component of its name import from core, without types. */
function importsOfCore(adapter: Adapter, file: string): string[] {
  const component = readdirSync(folder(adapter)).find((name) => name === file.replace('.ts', '.svelte'))
  const texts = [
    source(adapter, file),
    component === undefined ? '' : readFileSync(`${folder(adapter)}${component}`, 'utf8'),
  ]
  return texts
    .flatMap((text) => [...text.matchAll(/^\s*import (?!type )\{([^}]*)\} from '@roundtable\/core'$/gm)])
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter((name) => name !== '' && !name.startsWith('type '))
}

/** Neither comments nor imports and exports are counted. */
function linesOfCode(text: string): number {
  const code = text
    .replace(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|^\s*\/\/.*$/gm, '')
    .replace(/^\s*(?:import|export (?:type )?\{)[^']*'[^']*'$/gm, '')
  return code.split('\n').filter((line) => line.trim() !== '').length
}

describe('the adapters are alike', () => {
  test('the same files in all three', () => {
    expect(files('vue')).toEqual(files('react'))
    expect(files('svelte')).toEqual(files('react'))
  })

  test('the same words, but for how a controller is provided', () => {
    expect(names('vue')).toEqual(names('react'))
    expect(names('svelte')).toEqual(names('react'))
    expect(names('react')).toContain('useSuspense')
  })

  test.each(ADAPTERS)(
    '%s decides nothing: it imports only types of core, the controller that it provides and kinds of observers',
    (adapter) => {
      for (const file of files(adapter)) {
        if (file === 'testing.ts') continue
        const allowed = file === 'use-pages.ts' ? IMPORTS_OF_PAGES[adapter] : IMPORTS_OF_CORE[file]
        expect(importsOfCore(adapter, file), file).toEqual(allowed ?? [])
      }
    },
  )

  test.each(ADAPTERS)('%s is thin', (adapter) => {
    const components = readdirSync(folder(adapter)).filter((name) => name.endsWith('.svelte'))
    const texts = [
      ...files(adapter).map((file) => source(adapter, file)),
      ...components.map((name) => readFileSync(`${folder(adapter)}${name}`, 'utf8')),
    ]
    expect(texts.map(linesOfCode).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(510)
  })
})
