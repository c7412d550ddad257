import type { SourceFile } from './source-file.js'

/** Where a file stands. Rooms of one floor and one wing are ordered; rooms of two wings do not know each other. */
interface Room {
  readonly floor: number
  readonly wing: string
  readonly order: number
}

/** Rooms in their order: a folder with all that is in it ('path/'), or one file. */
interface Wing {
  readonly floor: number
  readonly wing: string
  readonly rooms: readonly string[]
}

/**
 * The plan of ARCHITECTURE.md. In engine/ and client/ each file has its own place and imports only from files above it in the list.
 * A new file goes below the last one that it imports.
 */
const plan: readonly Wing[] = [
  { floor: 0, wing: 'util', rooms: ['globals.d.ts', 'util/'] },
  { floor: 1, wing: 'words', rooms: ['path/', 'schema/'] },
  { floor: 2, wing: 'requests', rooms: ['endpoint/', 'rest/'] },
  { floor: 2, wing: 'memory', rooms: ['table/'] },
  { floor: 3, wing: 'translation', rooms: ['normalize/', 'respond.ts'] },
  { floor: 3, wing: 'lists', rooms: ['lists/', 'schema/collection/', 'rest/resource.ts'] },
  { floor: 3, wing: 'judgement', rooms: ['freshness.ts'] },
  {
    floor: 4,
    wing: 'engine',
    rooms: [
      'engine/sequence.ts',
      'engine/schema-graph.ts',
      'engine/form.ts',
      'engine/entry.ts',
      'engine/witness.ts',
      'engine/layer.ts',
      'engine/commit.ts',
      'engine/step.ts',
      'engine/staleness.ts',
      'engine/level.ts',
      'engine/merge.ts',
      'engine/write.ts',
      'engine/store.ts',
      'engine/plain.ts',
      'engine/flight.ts',
      'engine/request.ts',
      'engine/empty-response.ts',
      'engine/other-row.ts',
      'engine/network.ts',
      'engine/polling.ts',
      'engine/retention.ts',
    ],
  },
  {
    floor: 5,
    wing: 'client',
    rooms: [
      'client/events.ts',
      'client/given.ts',
      'client/key-of.ts',
      'client/observer.ts',
      'client/snapshot.ts',
      'client/runtime.ts',
      'client/result-for-caller.ts',
      'client/write.ts',
      'client/query-entry.ts',
      'client/live-observer.ts',
      'client/roles.ts',
      'client/registry.ts',
      'client/poll.ts',
      'client/controller.ts',
      'client/logout-manager.ts',
    ],
  },
  { floor: 6, wing: 'side doors', rooms: ['nanostores.ts', 'schemas.ts', 'testing/', 'testing.ts'] },
  { floor: 7, wing: 'front door', rooms: ['index.ts'] },
]

/** The room that says most of a path: a folder in a folder, or a file, may stand elsewhere than what is around it. */
function roomOf(path: string): Room | undefined {
  let found: Room | undefined
  let length = 0
  for (const { floor, wing, rooms } of plan) {
    rooms.forEach((room, order) => {
      if (!isIn(room, path) || room.length < length) return
      found = { floor, wing, order }
      length = room.length
    })
  }
  return found
}

function isIn(room: string, path: string): boolean {
  return room.endsWith('/') ? path.startsWith(room) : path === room
}

/** Files that have no place in the plan. */
export function strangers(files: readonly SourceFile[]): string[] {
  return files.filter(({ path }) => roomOf(path) === undefined).map(({ path }) => path)
}

/** Rooms of the plan that are not there. */
export function emptyRooms(files: readonly SourceFile[]): string[] {
  return plan.flatMap(({ rooms }) => rooms.filter((room) => !files.some(({ path }) => isIn(room, path))))
}

/** Imports of files that are not there. */
export function missing(files: readonly SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path))
  return edges(files).flatMap(([from, to]) => (paths.has(to) ? [] : [`${from} → ${to}`]))
}

/** Imports that point up, or into the other wing of the same floor. */
export function upward(files: readonly SourceFile[]): string[] {
  return edges(files).flatMap(([from, to]) => (mayKnow(from, to) ? [] : [`${from} → ${to}`]))
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
    (name === 'path-to-regexp' && path.startsWith('path/')) || (name === 'nanostores' && path === 'nanostores.ts')
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
