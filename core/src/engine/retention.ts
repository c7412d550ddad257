import { ListRow } from '../table/list-row.js'
import { type Dependents, Node } from '../table/node.js'
import { eachRelation, eachRow, type Kept, partsOf, type RowOf } from '../table/refs.js'
import { ResultView } from '../table/result-view.js'
import { GONE, isThere, type ListValue, originOf, type Row, valuesOf } from '../table/row.js'
import type { Kind } from '../table/table.js'
import type { Env } from '../tools/env.js'
import type { Entry } from './entry.js'
import type { Store } from './store.js'

/**
 * A slice of a sweep ends after so many ms, so that the page stays responsive: a Map of 100,000 rows that shrinks by half takes
 * another 3 ms at once, which makes 5.
 */
const SLICE = 2
/** So many rows are looked at between two looks at the clock. */
const STRIDE = 256

/** Who else than the store knows what is needed. */
export interface Holders {
  /** Lets go of observers that nobody has used since then (monotonic ms); true if some that are not held remain. */
  dropUnused(since: number): boolean
  /** What observers show, held ones and those used since. */
  roots(): Iterable<Kept>
  /** True if an observer needs the key. */
  needs(key: string): boolean
  /** True if a request of the key is under way. */
  isUnderWay(key: string): boolean
}

/**
 * Collects rows and results that no mounted query, pending layer or request needs, once they have not been of use for a while:
 * marks what is needed, then sweeps the rest, in slices.
 */
export class Retention {
  readonly #env: Env
  readonly #store: Store
  readonly #holders: Holders
  readonly #after: number
  #timer: unknown = undefined
  #sweep: Generator<void, void> | undefined = undefined
  #epoch = 0
  /** What came while a sweep was under way: it is seen to before anything else is collected. */
  readonly #late: Kept[] = []
  #seeing: Generator<void, void> | undefined = undefined
  /** Rows that are marked, but not yet what they lead to. */
  readonly #open: Row[] = []

  constructor(env: Env, store: Store, holders: Holders, after: number) {
    this.#env = env
    this.#store = store
    this.#holders = holders
    this.#after = after
  }

  /** Something may be of no more use: sees to it that there will be a sweep. */
  wake(): void {
    if (this.#timer === undefined && this.#sweep === undefined) this.#plan(this.#after)
  }

  /** Keeps what somebody needs who came while a sweep is under way. */
  keep(root: Kept): void {
    if (this.#sweep !== undefined) this.#late.push(root)
  }

  /** Stops; a sweep under way is left where it is, which harms nothing. */
  dispose(): void {
    this.#env.clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sweep = undefined
    this.#seeing = undefined
    this.#late.length = 0
    this.#open.length = 0
  }

  #plan(ms: number): void {
    if (ms === Infinity) return
    this.#timer = this.#env.setTimeout(
      () => {
        this.#timer = undefined
        this.#run()
      },
      ms,
      true,
    )
  }

  #run(): void {
    this.#sweep ??= this.#steps()
    const end = this.#env.mono() + SLICE
    while (this.#env.mono() < end) {
      if (this.#late.length > 0) this.#seeing ??= this.#seeToLate()
      if (this.#seeing !== undefined) {
        if (this.#seeing.next().done === true) this.#seeing = undefined
      } else if (this.#sweep.next().done === true) {
        this.#sweep = undefined
        return
      }
    }
    this.#plan(0)
  }

  *#seeToLate(): Generator<void, void> {
    for (let root = this.#late.pop(); root !== undefined; root = this.#late.pop()) yield* this.#mark(root)
    yield* this.#follow()
  }

  *#steps(): Generator<void, void> {
    const since = this.#env.mono() - this.#after
    let isLeft = this.#holders.dropUnused(since)
    isLeft = this.#dropEntries(since) || isLeft
    yield
    this.#epoch++
    for (const root of this.#roots()) yield* this.#mark(root)
    yield* this.#follow()
    for (const layer of this.#store.layers) {
      for (const row of layer.writes) this.#meet(row)
      for (const row of layer.reads) this.#meet(row)
    }
    yield* this.#follow()
    const { kinds, lists } = this.#store.table
    for (const kind of lists.values()) isLeft = (yield* this.#sweepKind(kind, since)) || isLeft
    for (const kind of kinds.values()) isLeft = (yield* this.#sweepKind(kind, since)) || isLeft
    if (isLeft) this.#plan(this.#after)
  }

  /** Forgets keys that nobody has used; true if some that nobody needs remain. */
  #dropEntries(since: number): boolean {
    let isLeft = false
    for (const entry of this.#store.entries.values()) {
      entry.row.dependents = alive(entry.row.dependents)
      if (this.#holders.needs(entry.key) || entry.row.side?.stack.length) continue
      // The end of a request need not change anything, so nobody would tell that it is over.
      if (lastUse(entry) > since || this.#holders.isUnderWay(entry.key)) isLeft = true
      else this.#store.dropEntry(entry)
    }
    for (const { row } of this.#store.entries.values()) forgetGone(row)
    return isLeft
  }

  *#roots(): Generator<Kept, void> {
    yield* this.#holders.roots()
    for (const { schema, row } of this.#store.entries.values())
      for (const value of valuesOf(row)) yield { schema, value }
  }

  // — marking —

  *#mark({ schema, value }: Kept): Generator<void, void> {
    for (const part of partsOf(schema, value)) {
      eachRow(part.schema, part.value, this.#rowOf, this.#meet)
      yield
    }
  }

  readonly #rowOf: RowOf = (schema, pk) => this.#store.rowOf(schema, pk)

  readonly #meet = (row: Row): void => {
    if (row.mark === this.#epoch || row.mark === GONE) return
    row.mark = this.#epoch
    this.#open.push(row)
    if (row.home.origin !== undefined) this.#meet(originOf(row))
  };

  /** Marks all that the open rows lead to. */
  *#follow(): Generator<void, void> {
    for (let row = this.#open.pop(), count = 0; row !== undefined; row = this.#open.pop()) {
      if (row instanceof ListRow) yield* this.#followList(row)
      else for (const value of valuesOf(originOf(row))) eachRelation(row, this.#rowOf, this.#meet, value)
      if (++count % STRIDE === 0) yield
    }
  }

  *#followList(list: ListRow): Generator<void, void> {
    const { list: schema } = list.home
    if (schema === undefined) return
    let count = 0
    for (const value of valuesOf(originOf(list))) {
      if (!isThere(value)) continue
      for (const ref of (value as ListValue).members.values()) {
        const entity = schema.entityOf(ref)
        if (entity !== undefined) this.#meet(this.#rowOf(entity, typeof ref === 'string' ? ref : ref.id))
        if (++count % STRIDE === 0) yield
      }
    }
  }

  // — sweeping —

  *#sweepKind(kind: Kind, since: number): Generator<void, boolean> {
    let isLeft = false
    let count = 0
    kind.everyone.dependents = alive(kind.everyone.dependents)
    for (const row of kind.rows.values()) {
      row.dependents = alive(row.dependents)
      const twins = twinsOf(kind, row.pk)
      for (const twin of twins) twin.dependents = alive(twin.dependents)
      if (row.mark !== this.#epoch && !isHeld(row.dependents) && !twins.some((twin) => isHeld(twin.dependents))) {
        if (this.#isOld(row, since)) this.#collect(kind, row)
        else isLeft = true
      }
      if (++count % STRIDE === 0) yield
    }
    for (const { rows } of [kind, ...kind.twins.values()]) {
      for (const row of rows.values()) {
        forgetGone(row)
        if (++count % STRIDE === 0) yield
      }
    }
    kind.indexes?.sweep()
    return isLeft
  }

  #isOld(row: Row, since: number): boolean {
    const { read, mutated, side } = row
    if (side !== undefined && (side.stack.length > 0 || (side.readers?.size ?? 0) > 0)) return false
    if (Math.max(read?.at ?? 0, mutated?.at ?? 0) > since) return false
    // A tombstone keeps out the answers of requests that started before the deletion; what else a mutation wrote since then comes
    // into the lists that they bring.
    return (mutated?.done ?? 0) < this.#store.sequence.oldest()
  }

  #collect(kind: Kind, row: Row): void {
    kind.drop(row.pk)
    row.value = undefined
    kind.indexes?.update(row)
    kind.kept.delete(row)
    if (row instanceof ListRow) {
      kind.finder.remove(row)
      kind.holders.forget()
    }
  }
}

/** A row does not keep in memory what came after it. */
function forgetGone(row: Row): void {
  if (row.next?.mark === GONE) row.next = undefined
}

const NONE: readonly Row[] = []

/** The row as other classes of its key show it. */
function twinsOf(kind: Kind, pk: string): readonly Row[] {
  if (kind.twins.size === 0) return NONE
  const twins: Row[] = []
  for (const { rows } of kind.twins.values()) {
    const twin = rows.get(pk)
    if (twin !== undefined) twins.push(twin)
  }
  return twins
}

function lastUse({ used, asked, answer }: Entry): number {
  return Math.max(used, asked ?? 0, answer?.at ?? 0)
}

/** Those who are still there. */
function alive(dependents: Dependents): Dependents {
  if (dependents === undefined) return undefined
  if (dependents instanceof Node) return isGone(dependents) ? undefined : dependents
  const left: Node[] = []
  for (const node of dependents) if (!isGone(node)) left.push(node)
  const count = Array.isArray(dependents) ? dependents.length : dependents.size
  if (left.length === count) return dependents
  if (left.length <= 1) return left[0]
  return Array.isArray(dependents) ? left : new Set(left)
}

function isGone(node: Node): boolean {
  return node instanceof ResultView ? node.isGone : (node as Row).mark === GONE
}

/** True if an observer reads the row directly: what it looked up may lead there by more than references. */
function isHeld(dependents: Dependents): boolean {
  if (dependents === undefined) return false
  if (dependents instanceof Node) return dependents instanceof ResultView
  for (const node of dependents) if (node instanceof ResultView) return true
  return false
}
