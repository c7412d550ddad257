import type { SourceFile } from './source-file.js'

/** Where a file stands. Rooms of one floor and one wing are ordered; rooms of two wings do not know each other. */
interface Room {
  readonly floor: number
  readonly wing: string
  readonly order: number
}

/** The plan of ARCHITECTURE.md: the first pattern that fits names a file's room. */
const plan: readonly (readonly [pattern: RegExp, room: Room])[] = [
  [/^(?:tools\/|globals\.d\.ts$)/, { floor: 0, wing: 'tools', order: 0 }],
  [/^path\//, { floor: 1, wing: 'words', order: 0 }],
  [/^schema\//, { floor: 1, wing: 'words', order: 1 }],
  [/^endpoint\//, { floor: 2, wing: 'requests', order: 0 }],
  [/^rest\//, { floor: 2, wing: 'requests', order: 1 }],
  [/^table\//, { floor: 2, wing: 'memory', order: 0 }],
  [/^normalize(?:\.ts$|\/)/, { floor: 3, wing: 'translation', order: 0 }],
  [/^respond(?:\.ts$|\/)/, { floor: 3, wing: 'translation', order: 1 }],
  [/^freshness(?:\.ts$|\/)/, { floor: 3, wing: 'judgement', order: 0 }],
  ...inOrder('engine', 4, [['store'], ['network'], ['polling', 'connection', 'retention']]),
  ...inOrder('client', 5, [['snapshot'], ['query'], ['controller'], ['managers']]),
  [/^(?:hydration|devtools|testing|schemas)(?:\.ts$|\/)/, { floor: 6, wing: 'side doors', order: 0 }],
  [/^index\.ts$/, { floor: 7, wing: 'front door', order: 0 }],
]

/** A folder whose files of these names stand in this order; its other files stand where their imports put them. */
function inOrder(folder: string, floor: number, names: readonly (readonly string[])[]): [RegExp, Room][] {
  const named = names.map((group, order): [RegExp, Room] => [
    new RegExp(`^${folder}/(?:${group.join('|')})(?:\\.ts$|/)`),
    { floor, wing: folder, order },
  ])
  return [...named, [new RegExp(`^${folder}/`), { floor, wing: folder, order: Number.NaN }]]
}

function roomOf(path: string): Room | undefined {
  return plan.find(([pattern]) => pattern.test(path))?.[1]
}

/** Files that stand on no floor. */
export function strangers(files: readonly SourceFile[]): string[] {
  return files.filter(({ path }) => roomOf(path) === undefined).map(({ path }) => path)
}

/** Imports of files that are not there. */
export function missing(files: readonly SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path))
  return edges(files).flatMap(([from, to]) => (paths.has(to) ? [] : [`${from} → ${to}`]))
}

/** Imports that point up, or into the other wing of the same floor; also by way of unnamed files of the same folder. */
export function upward(files: readonly SourceFile[]): string[] {
  const importsOf = new Map(files.map((file) => [file.path, file.imports]))
  return files.flatMap(({ path }) =>
    reached(path, importsOf).flatMap((to) => (mayKnow(path, to) ? [] : [`${path} → ${to}`])),
  )
}

/** What a file imports, and what the unnamed files of its own room import for it. */
function reached(from: string, importsOf: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set<string>()
  const open = [...(importsOf.get(from) ?? [])]
  for (let to = open.pop(); to !== undefined; to = open.pop()) {
    if (found.has(to)) continue
    found.add(to)
    const room = roomOf(to)
    if (room && Number.isNaN(room.order) && room.wing === roomOf(from)?.wing) open.push(...(importsOf.get(to) ?? []))
  }
  return [...found]
}

function mayKnow(from: string, to: string): boolean {
  const lower = roomOf(to)
  const upper = roomOf(from)
  if (!lower || !upper) return true
  if (lower.floor !== upper.floor) return lower.floor < upper.floor
  return lower.wing === upper.wing && !(lower.order > upper.order)
}

/** Rings of imports, types included: each as 'a → b → a'. */
export function rings(files: readonly SourceFile[]): string[] {
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

/** Imports of packages other than the two that core stands on, and of those from elsewhere than their one room. */
export function foreign(files: readonly SourceFile[]): string[] {
  const isAllowed = (path: string, name: string): boolean =>
    (name === 'path-to-regexp' && path.startsWith('path/')) || (name === 'nanostores' && path === 'client/query.ts')
  return files.flatMap(({ path, packages }) =>
    packages.filter((name) => !isAllowed(path, name)).map((name) => `${path} → ${name}`),
  )
}

/** Files that only hand on what others export, besides the front door and the side doors. */
export function barrels(files: readonly SourceFile[]): string[] {
  return files.filter(({ path, isBarrel }) => isBarrel && (roomOf(path)?.floor ?? 0) < 6).map(({ path }) => path)
}

function edges(files: readonly SourceFile[]): [string, string][] {
  return files.flatMap(({ path, imports }) => imports.map((to): [string, string] => [path, to]))
}
