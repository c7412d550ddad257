import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the benchmarks have written: the one source of all figures in pages. */
const results = join(import.meta.dirname, '../../../benchmarks/results')

interface BrowserResults {
  readonly date: string
  readonly comparisons: readonly {
    readonly framework: string
    readonly scenario: string
    readonly delay: number
    readonly findings: readonly {
      readonly library: string
      readonly changed: { readonly median: number }
      readonly rendered: number
      readonly requests: number
    }[]
  }[]
  readonly firsts: readonly {
    readonly framework: string
    readonly library: string
    readonly slower: number
    readonly changed: { readonly median: number }
  }[]
  readonly heaps: readonly { readonly framework: string; readonly library: string; readonly afterOne: number }[]
}

interface StoreResults {
  readonly results: readonly {
    readonly row: string
    readonly on: string
    readonly timings: readonly { readonly name: string; readonly median: number }[]
  }[]
}

interface OfflineResults {
  readonly costs: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly checks: Readonly<Record<string, Readonly<Record<string, string>>>>
}

interface LiveResults {
  readonly findings: Readonly<Record<string, Readonly<Record<string, string | number>>>>
}

type Sizes = Readonly<Record<string, number>>

const browser: BrowserResults = read('browser.json')
const store: StoreResults = read('latest.json')
const offline: OfflineResults = read('offline.json')
const live: LiveResults = read('live.json')
const sizes: Sizes = read('size.json')

function read<Results>(file: string): Results {
  // The benchmarks of the same repository write these files.
  return JSON.parse(readFileSync(join(results, file), 'utf8')) as Results
}

/** The columns of the browser's tables: how pages call a library, and how the results do. */
const libraries = {
  Roundtable: 'Roundtable',
  'TanStack Query': 'TanStack Query',
  'by hand': 'TanStack Query, by hand',
  SWR: 'SWR',
  '`useEffect`': 'plain useEffect',
}
type Library = keyof typeof libraries
const allLibraries = Object.keys(libraries) as Library[]

const change = 'one issue changed, seen in list, detail and card'
const rename = (rows: string) => `a user renamed, ${rows} rows`
const create = 'create in a list of 100'
const list = (rows: number) => `list of ${rows}, fetched`

type Tables = Readonly<Record<string, () => string>>

/** The tables, by the names that pages give them. */
export const tables: Tables = {
  overview: () => {
    const columns = allLibraries.slice(0, 4)
    const row = (label: string, scenario: string, delay: number) => [
      label,
      ...boldest(columns.map((library) => time(library, scenario, delay))),
    ]
    return table(
      ['the server answers after 50 ms: ms until the page is right', ...columns],
      [
        row('an issue changes in a list, a detail and a card', change, 50),
        row('a user is renamed in 10,000 rows', rename('10,000'), 50),
        row('a first list of 500', list(500), 50),
        ['**it answers at once**', ...columns.map(() => '')],
        row('a user is renamed in 1,000 rows', rename('1,000'), 0),
        row('a row is created in a list of 100', create, 0),
        row('a list of 100', list(100), 0),
        [
          'kB of the usual imports, min+gzip (`npm run size`)',
          ...boldest([kB('react'), kB('tanstack'), kB('tanstack'), kB('swr')]),
        ],
      ],
    )
  },

  delayed: () =>
    table(
      ['', ...allLibraries],
      [
        ['one issue changes in a list, a detail and a card', ...times(change, 50)],
        ['requests for that', ...allLibraries.map((library) => String(finding(library, change, 50).requests))],
        [
          'components rendered for that',
          ...allLibraries.map((library) => String(finding(library, change, 50).rendered)),
        ],
        ['a user is renamed in 10,000 rows', ...times(rename('10,000'), 50)],
        ['a list of 500', ...times(list(500), 50)],
      ],
    ),

  'at-once': () =>
    table(
      ['', ...allLibraries],
      [
        ['a user is renamed in 1,000 rows', ...times(rename('1,000'), 0)],
        ['one of 500 sorted rows moves to the top', ...times('sorted view of 500: one comes first', 0)],
        ['a row is created in a list of 100', ...times(create, 0)],
        ['a list of 100', ...times(list(100), 0)],
        ['a list of 500', ...times(list(500), 0)],
        ['the first list of 500 in a page that was just loaded', ...allLibraries.map(first)],
        ['heap after a list of 500, in kB', ...allLibraries.map(heap)],
      ],
    ),

  mutation: () => {
    const names: Readonly<Record<Library, string>> = {
      Roundtable: 'Roundtable',
      'TanStack Query': 'TanStack Query, invalidating',
      'by hand': 'TanStack Query, with forty lines that write all responses by hand',
      SWR: 'SWR, refetching',
      '`useEffect`': '`useEffect`',
    }
    return table(
      ['one issue changes, which a list, a detail and a card show', 'shown after', 'requests', 'components rendered'],
      allLibraries.map((library) => {
        const { requests, rendered } = finding(library, change, 50)
        return [names[library], time(library, change, 50), String(requests), String(rendered)]
      }),
    )
  },

  store: () => {
    const columns = {
      Roundtable: 'roundtable',
      'data-client': 'data-client',
      'normalizr 3': 'normalizr 3',
      'TanStack Query': 'TanStack Query',
      'Redux Toolkit': 'Redux Toolkit',
      Apollo: 'Apollo InMemoryCache',
    }
    const row = (label: string, name: string) => [label, ...Object.values(columns).map((each) => storeTime(name, each))]
    return table(
      ['', ...Object.keys(columns)],
      [
        row('write a response', 'write a cold answer'),
        row('read it for the first time', 'read cold'),
        row('write it again, unchanged, and read it', 'write an identical answer and read it'),
        row('change one row and read the list', 'change one entity and read the answer'),
      ],
    )
  },

  'offline-edits': () => {
    const columns = ['Roundtable', 'TanStack Query', 'TanStack DB']
    const row = (label: string, check: string) => [
      label,
      ...columns.map((library) => shortened(found(offline.checks[library]?.[check], `${library}, ${check}`))),
    ]
    return table(
      ['an edit, and then a crash of the browser', ...columns],
      [
        row('the request was in flight, the server had not got it', 'in flight, lost'),
        row('the server had done it, its answer was lost', 'in flight, answer lost'),
        row('offline, a row was created and then edited', 'created and edited'),
        row('offline, one tab edited a row and another tab two', 'two tabs'),
      ],
    )
  },

  'offline-costs': () => {
    const row = (label: string, unit: (value: number) => string, of: string, figure: string) => [
      label,
      ...['roundtable', 'tanstack-query'].map((library) => unit(offlineCost(`${library}${of}`, figure))),
    ]
    const json = (figure: string) => milliseconds(offlineCost('json', figure))
    return table(
      ['10,000 rows of twelve fields', 'Roundtable', 'TanStack Query', '`JSON` alone'],
      [
        [...row('bytes written when one field of one row has changed', grouped, '', 'changeBytes'), ' '],
        [...row('ms of processor time for that', milliseconds, '', 'changeCpu'), ' '],
        [...row('bytes written for the first response', grouped, '', 'bytes'), ' '],
        [...row('ms for that', milliseconds, '', 'cpu'), json('stringify')],
        [...row('ms to restore it', milliseconds, ' restored', 'cpu'), json('parse')],
      ],
    )
  },

  live: () => {
    const columns = Object.keys(live.findings)
    const row = (label: string, check: string) => [
      label,
      ...columns.map((library) => liveFinding(`${found(live.findings[library]?.[check], `${library}, ${check}`)}`)),
    ]
    return table(
      ['a list of 100 rows', ...columns],
      [
        row('a message while the list is being fetched', 'message during a slow fetch'),
        row('a row changes while the connection is down for 2 s', 'cut of 2 s'),
        row('100 messages, one every 2 ms: the list is rendered so often', 'renders for 100 messages'),
        row('an edit; a colleague changes another field; the echo; the answer', 'edit and echo'),
        row('lines of code', 'lines'),
      ],
    )
  },

  sizes: () =>
    table(
      ['imports', 'kB'],
      [
        ['`RestEndpoint` alone: typed requests without a store', kB('alone')],
        ['`RestEndpoint`, `Entity`, `Controller`: a store without a framework', kB('core')],
        ['React: `DataProvider`, `useSuspense`, `useController` and these', kB('fewest')],
        ['React, usual: with `resource`, `Collection`, `AsyncBoundary`, `useDLE`, `useLoading`', kB('react')],
        ['Vue, usual', kB('vue')],
        ['Svelte, usual', kB('svelte')],
        ...bySize(otherSizes),
      ],
    ),

  'sizes-compared': () =>
    table(
      ['', 'kB'],
      bySize({
        ...otherSizes,
        fewest:
          'Roundtable for React: `DataProvider`, `useSuspense`, `useController`, `RestEndpoint`, `Entity`, `Controller`',
        react: 'Roundtable for React, usual: with `resource`, `Collection`, `AsyncBoundary`, `useDLE`, `useLoading`',
      }),
    ),
}

const otherSizes = {
  tanstack: 'TanStack Query for React: a client, `useQuery`, `useMutation`',
  swr: 'SWR: `useSWR` and mutation',
  rtk: 'Redux Toolkit Query for React',
  apollo: 'Apollo Client for React',
  urql: 'urql with Graphcache, no bindings',
  dataClient: 'data-client 0.10 and its rest package, no bindings',
}

/**
 * What stands within a sentence, as `size react`, `size react 0`, `more tanstack`, `list Roundtable`, `busy page` or
 * `date`.
 */
export function figure(name: string): string {
  const [what = '', of = '', digits = '1'] = name.split(' ').map((part) => part.replaceAll('_', ' '))
  const library = of as Library
  if (what === 'size') return (size(of) / 1000).toFixed(Number(digits))
  if (what === 'more') return ((size('react') - size(of)) / 1000).toFixed(0)
  if (what === 'date') return browser.date
  if (what === 'list') return time(library, list(100), 0)
  if (what === 'create') return time(library, create, 0)
  if (what === 'heap') return heap(library)
  if (what === 'busy') return busyShare(of || 'busy')
  throw new Error(`no figure is called '${name}'`)
}

function finding(library: Library, scenario: string, delay: number) {
  const comparison = browser.comparisons.find(
    (each) => each.framework === 'React' && each.scenario === scenario && each.delay === delay,
  )
  return found(
    comparison?.findings.find((each) => each.library === libraries[library]),
    `${library}, ${scenario}`,
  )
}

function time(library: Library, scenario: string, delay: number): string {
  return rounded(finding(library, scenario, delay).changed.median)
}

function times(scenario: string, delay: number): string[] {
  return allLibraries.map((library) => time(library, scenario, delay))
}

function first(library: Library): string {
  const own = browser.firsts.find(
    (each) => each.framework === 'React' && each.library === libraries[library] && each.slower === 1,
  )
  return rounded(found(own, `${library}, first list`).changed.median)
}

/** In kB. */
function heap(library: Library): string {
  const own = browser.heaps.find((each) => each.framework === 'React' && each.library === libraries[library])
  return (found(own, `${library}, heap`).afterOne / 1000).toFixed(0)
}

function storeTime(row: string, name: string): string {
  const result = store.results.find((each) => each.row === row && each.on.includes('10,000 flat rows'))
  return rounded(
    found(
      result?.timings.find((timing) => timing.name === name),
      `${name}, ${row}`,
    ).median,
  )
}

/** Without the keys of rows, which differ each time, and without attempts that repeat each other. */
function shortened(finding: string): string {
  const requests = finding.replace(/temp-\d+/g, 'temp-…').replace(/[\da-f]{8}-[-\da-f]{27}/g, '‹uuid›')
  return requests
    .replace(/(, [^,;]+)\1+/g, '$1')
    .replaceAll(': done', '')
    .replace(/([A-Z]+ \/[^\s,;:]+)/g, '`$1`')
    .replace('; the server has the edit', '')
    .replace('the server has not the edit', 'the edit is lost')
}

/** Without the titles of rows. */
function liveFinding(finding: string): string {
  return finding
    .replace('not shown: nothing', 'no list')
    .replace(/not shown: .+/, 'the old row')
    .replaceAll('item 3', '*old*')
    .replaceAll('mine', '*new*')
    .replace('shown, connected again', 'shown')
    .replace('not shown', 'the old row')
}

function offlineCost(program: string, figure: string): number {
  return found(offline.costs[program]?.[figure], `${program}, ${figure}`)
}

function grouped(count: number): string {
  return count.toLocaleString('en')
}

/**
 * Of the time of ten seconds, in percent: what storing adds to a thousand rows that change ten times a second, in Node
 * (`busy`) or in Chromium (`page`).
 */
function busyShare(where: string): string {
  return (((offlineCost(`${where} stored`, 'cpu') - offlineCost(`${where} none`, 'cpu')) / 10_000_000) * 100).toFixed(1)
}

function milliseconds(microseconds: number): string {
  return rounded(microseconds / 1000)
}

function size(name: string): number {
  return found(sizes[name], `size ${name}`)
}

function kB(name: string): string {
  return figure(`size ${name}`)
}

function found<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`the results of the benchmarks have no '${name}'`)
  return value
}

/** Whole milliseconds, below ten with a decimal place, below one with one digit that counts. */
function rounded(milliseconds: number): string {
  if (milliseconds >= 10) return milliseconds.toFixed(0)
  return milliseconds >= 1 ? milliseconds.toFixed(1) : String(Number(milliseconds.toPrecision(1)))
}

function bySize(labels: Readonly<Record<string, string>>): string[][] {
  return Object.entries(labels)
    .sort(([a], [b]) => size(a) - size(b))
    .map(([name, label]) => [label, kB(name)])
}

/** The smallest is bold. */
function boldest(cells: readonly string[]): string[] {
  const least = Math.min(...cells.map(Number))
  return cells.map((cell) => (Number(cell) === least ? `**${cell}**` : cell))
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`
  return [row(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(row)].join('\n')
}
