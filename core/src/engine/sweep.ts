import type { UsageListener } from '../commit/commit.js'
import { type Member, pkOfRef } from '../schema/schema.js'
import { type Dependents, eachDependent, Node } from '../table/graph.js'
import { eachRelation, eachRow, type Reach } from '../table/refs.js'
import type { ResultView } from '../table/result-view.js'
import { type AllRowsNode, changedAt, type EntityRow, type Kind, originOf, REMOVED, Row } from '../table/row.js'
import { TOMBSTONE } from '../table/value.js'
import type { Env } from '../util/env.js'
import type { Entry } from './entry.js'
import { SEVERITIES } from './staleness.js'
import { RESULTS, type Store } from './store.js'

/**
 * The length of a slice in ms. It is short so that the page stays responsive: when a Map of 100,000 rows shrinks by half,
 * that alone takes another 3 ms.
 */
const SLICE = 2
/** The number of rows visited between two reads of the clock. */
const STRIDE = 256
/** The number of deleted members of which a list keeps the places, for when they come back. */
const PLACES = 1_000

/** The observers and requests that need keys. */
export interface KeyUsers {
  /** The observers, by their fetch key. */
  readonly observers: Map<string, readonly KeyUser[]>
  readonly runtime: { readonly network: { flightOf(key: string): object | undefined } }
}

interface KeyUser {
  /** True while it needs its data and rows. */
  readonly isHeld: boolean
  /** Monotonic ms at which it was last used. */
  readonly used: number
  /** Undefined if the observer does not read the result of its key. */
  readonly query: object | undefined
  dispose(): void
}

/** The options of a sweep. */
export interface SweepOptions {
  readonly env: Env
  readonly store: Store
  readonly users: KeyUsers
  /** Monotonic ms: rows that were used after this stay. */
  readonly since: number
  /** Called at the end; `isLeft` is true if the sweep kept something that may soon be unused. */
  onEnd(isLeft: boolean): void
}

/**
 * Mark and sweep. Marks the rows in use and all rows that they refer to; then makes all others unreachable in one step, so
 * that no remaining row refers to a dropped one, and removes them from the table. Marking and removing happen in slices;
 * rows that are written or read between two slices of marking are marked too.
 */
export class Sweep implements UsageListener {
  readonly #options: SweepOptions
  readonly #store: Store
  readonly #steps: Generator<void, void>
  #timer: unknown
  /** True if the sweep kept something that may soon be unused. */
  isLeft = false
  /** Marked rows whose references have not been followed yet. */
  #open: Row[] = []

  constructor(options: SweepOptions) {
    this.#options = options
    this.#store = options.store
    this.#steps = this.#work(options.since)
  }

  onWrite(row: Row): void {
    // A later slice follows its references: by then the commit is over and they are final.
    row.gcEpoch = this.#store.table.life.pass
    this.#open.push(row)
  }

  onView({ source, schema, args }: ResultView): void {
    // A view depends on the rows that it looked up even if they do not exist.
    const { views } = this.#store
    const found =
      source?.value ?? views.lookupQuietly(schema, args, { valueOf: (row) => row.value, onRead: this.#meet })
    eachRow(schema, found, this.#reach, this.#meet)
  }

  /** Abandons the sweep, which is safe at any point. */
  stop(): void {
    this.#options.env.clearTimeout(this.#timer)
    this.#listen(false)
  }

  #listen(isOn: boolean): void {
    this.#store.usage = isOn ? this : undefined
    this.#open = []
  }

  /** Runs one slice and schedules the next. */
  run(): void {
    const { env, onEnd } = this.#options
    const end = env.mono() + SLICE
    while (env.mono() < end) {
      if (this.#steps.next().done !== true) continue
      onEnd(this.isLeft)
      return
    }
    this.#timer = env.setTimeout(() => this.run(), 0, true)
  }

  *#work(since: number): Generator<void, void> {
    this.isLeft = dropUnused(this.#options.users, since)
    this.#dropEntries(since)
    this.#listen(true)
    const { life, kinds, lists } = this.#store.table
    life.pass += 2
    for (const entry of this.#store.entries.values()) {
      this.#markResult(entry)
      yield
    }
    yield* this.#follow(since)
    const all: readonly Kind[] = [...lists.values(), ...kinds.values()].flatMap((kind) => [
      kind,
      ...kind.aliases.values(),
    ])
    for (const kind of all) yield* this.#markLasting(kind, since)
    do {
      yield* this.#follow(since)
      this.#meetPending()
    } while (this.#open.length > 0)
    // From here on, unmarked rows are unreachable.
    life.alive = life.pass
    for (const kind of all) kind.allRows?.sweep(alive)
    this.#listen(false)
    for (const kind of all) yield* eachOf(kind, (row) => kind.isAlive(row) || kind.drop(row))
    for (const kind of all) {
      yield* eachOf(kind, dropRemovedDependents)
      kind.everyone.dependents = alive(kind.everyone.dependents)
      kind.indexes?.sweep(alive)
    }
  }

  /** Drops the entries of unused keys. */
  #dropEntries(since: number): void {
    const { observers, runtime } = this.#options.users
    for (const entry of this.#store.entries.values()) {
      const { row, key } = entry
      if (observers.get(key)?.some(({ query }) => query) || this.#isPending(row)) continue
      // A request may end without a change, and then no commit would trigger the next sweep.
      if (lastUse(entry) > since || runtime.network.flightOf(key)) this.isLeft = true
      else dropEntry(this.#store, entry)
    }
    for (const { row } of this.#store.entries.values()) dropRemovedDependents(row)
  }

  // — marking —

  /** Marks the rows that a result refers to, in server state and on all layers. */
  #markResult({ row, schema }: Entry): void {
    for (const value of valuesOf(this.#store, row)) eachRow(schema, value, this.#reach, this.#meet)
  }

  /** Marks rows that stay even if nothing refers to them: recent ones, and those that an observer looked up. */
  *#markLasting(kind: Kind, since: number): Generator<void, void> {
    yield* eachOf(kind, (row) => {
      if (row.gcEpoch !== this.#store.table.life.pass && !this.#isUnused(row, since)) this.#meet(row)
    })
    yield* this.#follow(since)
  }

  /** Marks rows that layers depend on, and the members of pending membership changes. */
  #meetPending(): void {
    const { layers, journal, rowOf } = this.#store
    for (const layer of layers) {
      for (const row of layer.writes) this.#meet(row)
      for (const row of layer.touched) if (row instanceof Row) this.#meet(row)
    }
    for (const { change } of journal.entries.flatMap(({ members }) => members)) {
      for (const ref of change.members) {
        const entity = change.list.entityOf(ref)
        if (entity !== undefined) this.#meet(rowOf(entity, pkOfRef(ref)))
      }
    }
  }

  /** True if a row goes unless another one refers to it. */
  #isUnused(row: Row, since: number): boolean {
    if (this.#isOld(row, since)) return !isHeld(row)
    this.isLeft = true
    return false
  }

  #isOld(row: Row, since: number): boolean {
    const { read, mutated, marks } = row
    if (this.#isPending(row) || Math.max(read?.at ?? 0, mutated?.at ?? 0) > since) return false
    // While older requests are in flight, newer data and tombstones block theirs, rows that other mutations wrote join the
    // lists of their responses, and marks apply to their data.
    const newest = Math.max(changedAt(row), marks?.stale ?? 0, marks?.invalid ?? 0)
    return newest < this.#store.sequence.oldest()
  }

  /** True if layers write or read a row. */
  #isPending(row: Row): boolean {
    return this.#store.layers.some(({ touched }) => touched.has(row))
  }

  readonly #meet = (row: Row): void => {
    const { pass } = this.#store.table.life
    if (row.gcEpoch === pass || row.gcEpoch === REMOVED) return
    row.gcEpoch = pass
    this.#open.push(row)
  };

  /** Marks everything that the open rows refer to. */
  *#follow(since: number): Generator<void, void> {
    for (let row = this.#open.pop(), count = 0; row !== undefined; row = this.#open.pop()) {
      // A row and its aliases stay or go together.
      if (row.home.origin !== undefined) this.#meet(originOf(row))
      else for (const alias of aliasesOf(row)) this.#meet(alias)
      const result = row.home.key === RESULTS ? this.#store.entries.get(row.pk) : undefined
      if (result !== undefined) this.#markResult(result)
      else if (row.list !== undefined) {
        const list = originOf(row.list)
        const { value } = list
        const values = valuesOf(this.#store, list)
        // Layers and offsets count on the places of deleted members.
        const isPlain = values.length === 1 && value?.pages.length === 1
        const deleted: [ref: Member, row: Row][] = []
        for (const each of values) {
          for (const [entity, pk, ref] of row.list.membersIn(each)) {
            const member = this.#store.rowOf(entity, pk)
            if (isPlain && member.value === TOMBSTONE) deleted.push([ref, member])
            else this.#meet(member)
            if (++count % STRIDE === 0) yield
          }
        }
        deleted.sort(([, a], [, b]) => changedAt(b) - changedAt(a))
        for (const [, member] of deleted.splice(0, PLACES)) this.#meet(member)
        const leaving = deleted.flatMap(([ref, member]) => (this.#isUnused(member, since) ? [ref] : []))
        // A list that has changed meanwhile is followed again.
        if (list.value === value) this.#store.table.lists.get(list.home.key)?.forget(list, leaving)
      } else {
        // The result of a dropped entry has no relations.
        const entity = row as EntityRow
        for (const value of valuesOf(this.#store, originOf(entity)))
          eachRelation(entity, this.#reach, this.#meet, value)
      }
      if (++count % STRIDE === 0) yield
    }
  }

  readonly #reach: Reach = {
    rowOf: (schema, pk) => this.#store.rowOf(schema, pk),
    keysOf: (kind) => this.#store.table.keysOf(kind),
  }
}

/** Disposes of observers that were not used after `since`. Returns true if it kept some that are not held. */
function dropUnused({ observers }: KeyUsers, since: number): boolean {
  let isLeft = false
  for (const [key, all] of observers) {
    const left = all.filter((observer) => observer.isHeld || observer.used > since)
    isLeft ||= left.some(({ isHeld }) => !isHeld)
    if (left.length === all.length) continue
    for (const observer of all) if (!left.includes(observer)) observer.dispose()
    if (left.length === 0) observers.delete(key)
    else observers.set(key, left)
  }
  return isLeft
}

/** Drops an entry and its result. */
function dropEntry(store: Store, entry: Entry): void {
  keepMarks(store, entry)
  store.entries.delete(entry.row.pk)
  const left = store.entriesOf(entry.key).filter((other) => other !== entry)
  if (left.length === 0) store.byKey.delete(entry.key)
  else store.byKey.set(entry.key, left)
  store.results.drop(entry.row)
}

/** Keeps the mark of a key that is about to be dropped: rows that its arguments name may be older than the mark. */
function keepMarks({ staleness, entries }: Store, entry: Entry): void {
  staleness.judge(entry)
  const { key, response } = entry
  for (const severity of SEVERITIES) {
    const at = entry[severity]
    const isKnown =
      at <= staleness.unknown[severity] ||
      staleness.marks.some((mark) => mark.severity === severity && mark.at >= at && mark.testKey(key))
    if (at <= (response?.start ?? 0) || isKnown) continue
    staleness.add({ owner: `= ${key}`, severity, at, testKey: (other) => other === key }, entries.values())
  }
}

/** All values that a row may show: the current one, and those below each pending layer. */
function valuesOf<R extends Row>({ layers }: Store, row: R): readonly R['value'][] {
  return [row.value, ...layers.flatMap(({ below }) => (below.has(row) ? [below.get(row)] : []))]
}

/** Calls `work` with each row of a kind, and yields after every `STRIDE` rows. */
function* eachOf(kind: Kind, work: (row: Row) => unknown): Generator<void, void> {
  let count = 0
  for (const row of kind.rows.values()) {
    work(row)
    if (++count % STRIDE === 0) yield
  }
}

/** Removes dropped rows from a row, which would retain them. */
function dropRemovedDependents(row: Row): void {
  if (row.nextHint?.gcEpoch === REMOVED) row.nextHint = undefined
  eachDependent(row, dropLeft)
  row.dependents = alive(row.dependents)
}

/** Drops a row of a derived kind once its result has been built without it. */
function dropLeft(node: Node): void {
  if (!(node instanceof Row) || node.dependents !== undefined) return
  if (node.home.scope?.dirty === false) node.home.drop(node)
}

/** Yields the rows that show this one in other classes of its key. */
function* aliasesOf(row: Row): Generator<Row, void> {
  for (const { rows } of row.home.aliases.values()) {
    const alias = rows.get(row.pk)
    if (alias !== undefined) yield alias
  }
}

function lastUse({ requestedAt, row }: Entry): number {
  return Math.max(requestedAt ?? 0, row.read?.at ?? 0)
}

/** The dependents that were not removed. */
function alive(dependents: Dependents): Dependents {
  if (dependents === undefined) return undefined
  if (dependents instanceof Node) return isRemoved(dependents) ? undefined : dependents
  const left: Node[] = []
  for (const node of dependents) if (!isRemoved(node)) left.push(node)
  const count = Array.isArray(dependents) ? dependents.length : dependents.size
  if (left.length === count) return dependents
  if (left.length <= 1) return left[0]
  return Array.isArray(dependents) ? left : new Set(left)
}

function isRemoved(node: Node): boolean {
  const dependent = node as Dependent
  if ('isRemoved' in dependent) return dependent.isRemoved
  return dependent.gcEpoch === REMOVED || dependent.home.scope?.isRemoved === true
}

/** A node that depends on rows: another row, a result, or all rows of a kind. */
type Dependent = Row | ResultView | AllRowsNode

/** True if an observer reads the row directly: a look-up may find it without a reference. */
function isHeld(row: Row): boolean {
  const { dependents } = row
  if (dependents === undefined) return false
  const isShown = (node: Node): boolean => {
    const dependent = node as Dependent
    if (dependent instanceof Row) return dependent.home.scope?.isRemoved === false
    return 'isRemoved' in dependent && !dependent.isRemoved && (!('holds' in dependent) || dependent.holds(row))
  }
  if (dependents instanceof Node) return isShown(dependents)
  for (const node of dependents) if (isShown(node)) return true
  return false
}
