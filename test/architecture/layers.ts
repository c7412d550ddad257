import type { SourceFile } from './source-file.js'

/** Folders with everything in them ('path/') and single files; each may import from those before it in the same part. */
type Part = readonly string[]

/**
 * The layers of ARCHITECTURE.md, lowest first. A file imports from lower layers and from its own part; the parts of one
 * layer do not know each other. A longer path wins over the folder around it.
 */
const layers: readonly (readonly Part[])[] = [
  [['globals.d.ts', 'util/']],
  [['path/', 'schema/']],
  [
    ['endpoint/', 'rest/'],
    ['table/', 'commit/'],
  ],
  [['normalize/', 'respond.ts'], ['lists/', 'collections/'], ['selections/'], ['cause.ts', 'freshness.ts']],
  [['engine/']],
  [['client/'], ['http/']],
  [
    [
      'hydration/',
      'hydration.ts',
      'offline/',
      'offline.ts',
      'offline-file.ts',
      'live/',
      'live.ts',
      'sse.ts',
      'backend/',
      'backend.ts',
      'check/',
      'check.ts',
      'standard/',
      'schema.ts',
      'http.ts',
      'nanostores.ts',
      'schema-kinds.ts',
      'schemas.ts',
      'inspection/',
      'inspect.ts',
      'testing/',
      'testing.ts',
    ],
  ],
  [['index.ts']],
]

/** The first layer of entry points, which may be barrels. */
const ENTRY_POINTS = layers.length - 2

/** Where a path belongs: its layer, the part of that layer, and its place in the part. */
interface Place {
  readonly layer: number
  readonly part: Part
  readonly order: number
}

function placeOf(path: string): Place | undefined {
  let found: Place | undefined
  let length = 0
  for (const [layer, parts] of layers.entries()) {
    for (const part of parts) {
      for (const [order, entry] of part.entries()) {
        if (!isIn(entry, path) || entry.length < length) continue
        found = { layer, part, order }
        length = entry.length
      }
    }
  }
  return found
}

function isIn(entry: string, path: string): boolean {
  return entry.endsWith('/') ? path.startsWith(entry) : path === entry
}

/** Files that belong to no layer. */
export function unplaced(files: readonly SourceFile[]): string[] {
  return files.filter(({ path }) => placeOf(path) === undefined).map(({ path }) => path)
}

/** Entries of the layers that match no file. */
export function unused(files: readonly SourceFile[]): string[] {
  return layers.flat(2).filter((entry) => !files.some(({ path }) => isIn(entry, path)))
}

/** Imports of files that do not exist. */
export function missing(files: readonly SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path))
  return edges(files).flatMap(([from, to]) => (paths.has(to) ? [] : [`${from} → ${to}`]))
}

/** Imports from a higher layer, or from another part of the same layer. */
export function upward(files: readonly SourceFile[]): string[] {
  return edges(files).flatMap(([from, to]) => (mayImport(from, to) ? [] : [`${from} → ${to}`]))
}

function mayImport(from: string, to: string): boolean {
  const lower = placeOf(to)
  const upper = placeOf(from)
  if (!lower || !upper) return true
  if (lower.layer !== upper.layer) return lower.layer < upper.layer
  return lower.part === upper.part && lower.order <= upper.order
}

/** Rings of imports, types included: each as 'a → b → a'. */
export function rings(files: readonly Pick<SourceFile, 'path' | 'imports'>[]): string[] {
  const importsOf = new Map(files.map((file) => [file.path, file.imports]))
  const state = new Map<string, 'open' | 'done'>()
  const found: string[] = []
  const walk = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'done') return
    if (state.get(path) === 'open') {
      found.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
      return
    }
    state.set(path, 'open')
    for (const next of importsOf.get(path) ?? []) walk(next, [...trail, path])
    state.set(path, 'done')
  }
  for (const { path } of files) walk(path, [])
  return found
}

/**
 * The folders as files that import each other: what one imports within itself, and files beside the folders, are left
 * out.
 */
export function folders(files: readonly SourceFile[]): Pick<SourceFile, 'path' | 'imports'>[] {
  const folderOf = (path: string): string => path.slice(0, path.indexOf('/') + 1)
  const importsOf = new Map<string, Set<string>>()
  for (const { path, imports } of files) {
    const from = folderOf(path)
    const found = importsOf.get(from) ?? new Set()
    importsOf.set(from, found)
    for (const to of imports.map(folderOf)) if (to !== from && to !== '') found.add(to)
  }
  importsOf.delete('')
  return [...importsOf].map(([path, imports]) => ({ path, imports: [...imports] }))
}

/** Imports of packages other than core's three, and of those from files other than their own. */
export function foreign(files: readonly SourceFile[]): string[] {
  const isAllowed = (path: string, name: string): boolean =>
    (name === 'path-to-regexp' && path.startsWith('path/')) ||
    (name === 'nanostores' && path === 'nanostores.ts') ||
    (name === 'eventsource-parser' && path === 'live/server-sent-events.ts') ||
    (name === 'node:fs/promises' && ['offline/file.ts', 'globals.d.ts'].includes(path))
  return files.flatMap(({ path, packages }) =>
    packages.filter((name) => !isAllowed(path, name)).map((name) => `${path} → ${name}`),
  )
}

/** Files that only re-export others, besides the entry points. */
export function barrels(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, isBarrel }) => isBarrel && (placeOf(path)?.layer ?? 0) < ENTRY_POINTS)
    .map(({ path }) => path)
}

function edges(files: readonly SourceFile[]): [string, string][] {
  return files.flatMap(({ path, imports }) => imports.map((to): [string, string] => [path, to]))
}
