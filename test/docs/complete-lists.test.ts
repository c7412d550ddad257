import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { readPages } from '../../docs/.vitepress/written/pages.js'
import { exportedNames, parse } from './known-names.js'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

// — names, as the sources have them —

/** The members that an interface declares. */
function membersOf(file: string, name: string): readonly string[] {
  const found = parse(file, read(file)).statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  )
  if (found === undefined) throw new Error(`${file} declares no interface ${name}`)
  return (found as ts.InterfaceDeclaration).members.map((member) => (member.name as ts.Identifier).text)
}

/** The texts of a union of literals, in every member `type` of a type. */
function typesOf(file: string, name: string): readonly string[] {
  const found = parse(file, read(file)).statements.find(
    (statement) => ts.isTypeAliasDeclaration(statement) && statement.name.text === name,
  )
  return [...(found?.getText().matchAll(/readonly type: ([^\n;}]+)/g) ?? [])].flatMap(([, union = '']) =>
    [...union.matchAll(/'(\w+)'/g)].map(([, text = '']) => text),
  )
}

/** The keys of an object literal at the top of a file. */
function keysOf(file: string, name: string): readonly string[] {
  const [, body = ''] = new RegExp(`const ${name} = \\{([^}]*)\\}`).exec(read(file)) ?? []
  return [...body.matchAll(/(\w+):/g)].map(([, key = '']) => key)
}

function valuesOf(file: string): readonly string[] {
  return [...exportedNames(join(root, file))].flatMap(([name, { isType }]) => (isType ? [] : [name]))
}

const names = {
  'schema kinds': valuesOf('core/src/schemas.ts'),
  'accessors of a list': keysOf('core/src/rest/accessors.ts', 'methods'),
  hooks: valuesOf('adapters/react/src/index.ts').filter((name) => /^use[A-Z]/.test(name)),
  markers: readdirSync(join(root, 'core/src/client/markers'))
    .flatMap((file) => valuesOf(`core/src/client/markers/${file}`))
    .filter((name) => valuesOf('core/src/index.ts').includes(name)),
  'kinds of observers': readdirSync(join(root, 'core/src/client'), { withFileTypes: true })
    .filter((file) => file.isFile())
    .flatMap(({ name }) => [...read(`core/src/client/${name}`).matchAll(/^export const (\w+): ObserverKind</gm)])
    .map(([, name = '']) => name),
  'options of endpoints': membersOf('core/src/endpoint/options.ts', 'EndpointOptions'),
  'options of REST endpoints': [
    ...membersOf('core/src/rest/generics.ts', 'SimpleOptions'),
    ...membersOf('core/src/rest/generics.ts', 'RestGenerics'),
    ...membersOf('core/src/rest/options.ts', 'RestOptions'),
  ],
  'options of retry': membersOf('core/src/endpoint/retry.ts', 'RetryOptions'),
  'options of batch': membersOf('core/src/engine/batch.ts', 'BatchOptions'),
  'options of revalidate': membersOf('core/src/client/revalidate.ts', 'RevalidateOptions'),
  'options of http': membersOf('core/src/http/with-http.ts', 'HttpOptions'),
  'functions of a part': membersOf('core/src/endpoint/options.ts', 'RequestPart'),
  'members of pages': membersOf('core/src/client/pages-snapshot.ts', 'PagesMembers'),
  causes: typesOf('core/src/cause.ts', 'Cause'),
  'entry points': ['core', 'adapters/react', 'adapters/vue', 'adapters/svelte', 'devtools', 'openapi'].flatMap(
    (folder) => {
      const { name, exports } = JSON.parse(read(`${folder}/package.json`)) as { name: string; exports: object }
      return Object.keys(exports)
        .filter((path) => path !== './package.json')
        .map((path) => name + path.slice(1))
    },
  ),
} as const

// — pages that list them —

interface List {
  readonly of: keyof typeof names
  readonly page: string
  /** The heading above it, or in a source the name of its constants; without one it may be anywhere on the page. */
  readonly under?: string
  /** What it leaves out, and why. */
  readonly without?: Readonly<Record<string, string>>
}

const noRead = 'reads nothing of an endpoint'
const lists: readonly List[] = [
  { of: 'schema kinds', page: 'docs/guides/schema-kinds.md' },
  { of: 'accessors of a list', page: 'docs/guides/lists.md', under: 'Add, remove, move' },
  {
    of: 'hooks',
    page: 'docs/guides/reading.md',
    under: 'All reads',
    without: { useController: noRead, useLoading: noRead, useCancelling: noRead, useDebounce: noRead },
  },
  { of: 'markers', page: 'docs/guides/reading.md', under: 'Show it differently' },
  { of: 'kinds of observers', page: 'docs/guides/reading.md', under: 'All reads' },
  { of: 'options of retry', page: 'docs/guides/retry-focus-offline.md' },
  { of: 'options of batch', page: 'docs/guides/retry-focus-offline.md' },
  { of: 'options of revalidate', page: 'docs/guides/retry-focus-offline.md' },
  { of: 'options of http', page: 'docs/guides/http-caching-and-conflicts.md' },
  {
    of: 'functions of a part',
    page: 'docs/guides/retry-focus-offline.md',
    without: { name: 'no function', isOnly: 'no function', forMember: 'no function' },
  },
  { of: 'members of pages', page: 'docs/guides/pages.md' },
  { of: 'causes', page: 'docs/guides/finding-out-why.md' },
  { of: 'causes', page: 'core/src/cause.ts' },
  { of: 'options of endpoints', page: 'core/src/endpoint/option-table.ts', under: 'ptionTypes' },
  {
    of: 'options of REST endpoints',
    page: 'core/src/endpoint/option-table.ts',
    under: 'ptionTypes',
    without: { args: 'a type alone: `paginated` sets it' },
  },
]

/** The text below a heading, down to the next one of its level. */
function below(text: string, heading: string | undefined): string {
  if (heading === undefined) return text
  const [, level = '', rest = ''] = new RegExp(`^(#+) ${heading}$([\\s\\S]*)`, 'm').exec(text) ?? []
  if (level === '') throw new Error(`There is no heading ${heading}.`)
  return rest.split(new RegExp(`^#{1,${level.length}} `, 'm'))[0] ?? ''
}

/** What a page lists: the first cell of each row of a table, and the code in its sentences. Examples list nothing. */
function listedIn(page: string, under: string | undefined): (name: string) => boolean {
  if (page.endsWith('.ts')) {
    const source = read(page)
    const constants = under && [...source.matchAll(new RegExp(`const \\w*${under}\\b[^{]*\\{([^}]*)\\}`, 'g'))]
    const text = constants ? constants.map(([, body]) => body).join('\n') : source
    return (name) => new RegExp(`\\b${name}\\b`).test(text)
  }
  const text = below(read(page).replace(/^( *)(`{3,})[\s\S]*?^\1\2$/gm, ''), under)
  const lines = text.split('\n').map((line) => /^\| (.*?) \|/.exec(line)?.[1] ?? line)
  const said = lines.flatMap((line) => [...line.matchAll(/`[^`]+`|\[\w+\]/g)].map(([code]) => code)).join('\n')
  return (name) => new RegExp(`\\b${name}\\b`).test(said)
}

describe('a page that lists names of the library lists all of them', () => {
  test.each(lists)('$page: all $of', ({ of, page, under, without = {} }) => {
    expect(names[of].length).toBeGreaterThan(1)
    const isListed = listedIn(page, under)
    expect(names[of].filter((name) => !isListed(name) && !Object.hasOwn(without, name))).toEqual([])
    // What is left out exists.
    expect(Object.keys(without).filter((name) => !names[of].includes(name))).toEqual([])
  })

  /** A page that begins to list them joins the lists above: one row of its table after the other is easily forgotten. */
  test.each(readPages)('%s has no other table with half of them', (page) => {
    const tables = read(page).match(/(?:^\|.*\n)+/gm) ?? []
    const firstCells = tables.map((table) =>
      [...table.matchAll(/^\| (.*?) \|/gm)].map(([, cell = '']) => cell).join('\n'),
    )
    const found = firstCells.flatMap((cells) =>
      (Object.keys(names) as (keyof typeof names)[]).filter((of) => {
        const listed = names[of].filter((name) => new RegExp(`(?:\`|\\[|\\.)${name}\\b`).test(cells))
        return listed.length > 3 && listed.length * 2 >= names[of].length
      }),
    )
    expect(found.filter((of) => !lists.some((list) => list.page === page && list.of === of))).toEqual([])
  })
})

test('every entry point of the packages is on a page of the guides', () => {
  const guides = readPages.map(read).join('\n')
  // The module for Nuxt writes its import.
  const missing = names['entry points'].filter((name) => !new RegExp(`${name}(?![\\w/-])`).test(guides))
  expect(missing).toEqual(['@roundtable/vue/nuxt-app'])
})

test('every hook, marker and kind of observer is on a page of the guides', () => {
  const guides = readPages.map(read).join('\n')
  const all = [...names.hooks, ...names.markers, ...names['kinds of observers']]
  expect(all.filter((name) => !new RegExp(`\\b${name}\\b`).test(guides))).toEqual([])
})

test('the three adapters have the same hooks', () => {
  const hooksOf = (adapter: string) =>
    valuesOf(`adapters/${adapter}/src/index.ts`).filter((name) => /^use[A-Z]/.test(name))
  expect(new Set(hooksOf('vue'))).toEqual(new Set(names.hooks))
  expect(new Set(hooksOf('svelte'))).toEqual(new Set(names.hooks))
})
