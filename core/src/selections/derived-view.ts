import { type EntityInterface, INVALID } from '../schema/schema.js'
import { errorOf, viewOrThrow } from '../table/failure.js'
import { addDependent, eachDependent, Node, removeDependent } from '../table/graph.js'
import type { ResultView } from '../table/result-view.js'
import { type EntityRow, type Kind, REMOVED } from '../table/row.js'
import { isThere } from '../table/value.js'
import type { Views } from '../table/views.js'
import { type AllRows, allRowsOf, type RowsView } from './all-rows.js'

/** An entity whose rows a view shows. */
interface Source {
  readonly rows: AllRows
  /** The rows as the entity's class shows them. */
  readonly shown: Kind<EntityRow>
  /** The aliases by their origins and the other way round, if another class of the key was used first. */
  readonly aliases: WeakMap<EntityRow, EntityRow>
  readonly origins: WeakMap<EntityRow, EntityRow>
}

/** A row that changed, by itself or through relations, and its current view; undefined if it is missing or deleted. */
export interface ChangedRow {
  readonly row: EntityRow
  readonly view: unknown
}

/** Up to this number of changed rows, or up to half of all rows, only the changed ones are read again. */
const FEW_ROWS = 32

/** Separates the ranks of two entities: no kind ever has this many rows. */
const RANKS = 1_099_511_627_776

/**
 * A view of all rows of some entities. It is notified of changed rows and reads only these again. Several results share it.
 * It is dropped when no observer depends on it.
 */
export abstract class DerivedView extends Node implements RowsView {
  readonly #views: Views
  readonly #sources: readonly Source[]
  /** Rows that changed since the last read; undefined if all rows must be read. */
  #changed: Set<EntityRow> | undefined
  #error: Error | undefined

  constructor(views: Views, entities: readonly EntityInterface[]) {
    super()
    this.#views = views
    this.#sources = entities.map((entity): Source => {
      const { kind, shown } = views.infos.of(entity)
      return { rows: allRowsOf(kind), shown, aliases: new WeakMap(), origins: new WeakMap() }
    })
    for (const { rows } of this.#sources) rows.follow(this)
  }

  /** Reads all rows through `eachRow`. */
  protected abstract readAll(): unknown
  /** Reads the changed rows. */
  protected abstract readChanged(changed: readonly ChangedRow[]): unknown

  note(row: EntityRow): void {
    if (this.#changed === undefined) return
    this.#changed.add(row)
    if (this.#changed.size > FEW_ROWS && this.#changed.size > this.#size / 2) this.#changed = undefined
  }

  readAllNext(): void {
    this.#changed = undefined
  }

  get #size(): number {
    return this.#sources.reduce((sum, { rows }) => sum + rows.size, 0)
  }

  get isObserved(): boolean {
    let isObserved = false
    eachDependent(this, (result) => {
      // Only results depend on this view.
      isObserved ||= !(result as ResultView).isRemoved
    })
    return isObserved
  }

  read(): unknown {
    if (this.dirty) this.#update()
    if (this.#error !== undefined) throw this.#error
    return this.view
  }

  #update(): void {
    const changed = this.#changed
    // This comes before any read, since users' functions may throw or write.
    this.dirty = false
    this.#changed = new Set()
    for (const { rows } of this.#sources) {
      for (const row of changed ?? rows.kind.rows.values()) if (row.home === rows.kind) addDependent(row, rows)
    }
    try {
      this.view = changed === undefined ? this.readAll() : this.readChanged(this.#readAgain(changed))
      this.#error = undefined
    } catch (thrown) {
      this.#error = errorOf(thrown)
      this.#changed = undefined
    }
    for (const { rows } of this.#sources) rows.caughtUp(this)
  }

  #readAgain(changed: ReadonlySet<EntityRow>): readonly ChangedRow[] {
    const again: ChangedRow[] = []
    for (const source of this.#sources) {
      for (const origin of changed) {
        if (origin.home !== source.rows.kind) continue
        const row = shownRow(source, origin)
        again.push({ row, view: origin.gcEpoch === REMOVED ? undefined : this.#viewOf(row) })
      }
    }
    return again
  }

  /** Calls `visit` for each visible row, by entity and then in order of arrival. */
  protected eachRow(visit: (row: EntityRow, view: unknown) => void): void {
    for (const source of this.#sources) {
      const { kind } = source.rows
      for (const origin of kind.rows.values()) {
        if (!isThere(origin.value) || !kind.isAlive(origin)) continue
        const row = shownRow(source, origin)
        const view = this.#viewOf(row)
        if (view !== undefined) visit(row, view)
      }
    }
  }

  #viewOf(row: EntityRow): unknown {
    const view = viewOrThrow(this.#views.read(row))
    return view === INVALID ? undefined : view
  }

  /** Returns the position of a row in order of arrival, across entities. */
  protected rankOf(row: EntityRow): number {
    const at = this.#sources.length === 1 ? 0 : this.#sources.findIndex(({ shown }) => shown === row.home)
    const { origins } = this.#sources[at] as Source
    return at * RANKS + (origins.get(row) ?? row).rank
  }

  close(): void {
    for (const { rows } of this.#sources) {
      removeDependent(rows, this)
      rows.leave(this)
    }
  }
}

/** Returns the row that shows `origin` in the entity's class. */
function shownRow({ rows, shown, aliases, origins }: Source, origin: EntityRow): EntityRow {
  if (shown.origin === undefined) return origin
  const row = aliases.get(origin) ?? shown.row(origin.pk)
  aliases.set(origin, row)
  origins.set(row, origin)
  addDependent(row, rows)
  return row
}
