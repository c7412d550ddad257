import { addDependent, type Dependents, markDependentsDirty, Node } from '../table/graph.js'
import type { AllRowsNode, EntityRow, Kind } from '../table/row.js'
import { isThere } from '../table/value.js'

/** A view of all rows of some kinds. */
export interface RowsView extends Node {
  /** Called when a row's view may have changed, at most once per read. */
  note(row: EntityRow): void
  /** Called when the order of rows that it has not read yet has changed: the next read reads all rows. */
  readAllNext(): void
  /** Returns the current value. */
  read(): unknown
  /** True if an observer depends on it. */
  readonly isObserved: boolean
  /** Removes the view. */
  close(): void
}

/**
 * All rows of a kind in order of arrival. The views of a kind depend on this node instead of on each row: it notifies
 * them of the changed rows.
 */
export class AllRows extends Node implements AllRowsNode {
  readonly kind: Kind<EntityRow>
  readonly #followers = new Set<RowsView>()
  /** The views by schema, then by arguments. */
  readonly #views = new Map<object, Map<string, RowsView>>()
  isRemoved = false

  constructor(kind: Kind<EntityRow>) {
    super()
    this.kind = kind
    for (const row of kind.rows.values()) if (kind.isAlive(row)) this.add(row)
  }

  add(row: EntityRow): void {
    addDependent(row, this)
  }

  hasMoved(): void {
    // A dirty view may still have the row at its old position.
    for (const view of this.#followers) if (view.dirty) view.readAllNext()
  }

  /** The number of rows, including those that were only referenced. */
  get size(): number {
    return this.kind.rows.size
  }

  drop(row: EntityRow): void {
    // A view that was first read during a sweep may still contain the row.
    if (!isThere(row.value)) return
    this.#note(row)
    markDependentsDirty(this)
  }

  override markDirty(child: Node): boolean {
    // This node depends only on rows, including aliases.
    const row = this.kind.rows.get((child as EntityRow).pk)
    if (row !== undefined) this.#note(row)
    return super.markDirty(child)
  }

  #note(row: EntityRow): void {
    for (const view of this.#followers) view.note(row)
  }

  holds(row: EntityRow): boolean {
    if (!isThere(row.value)) return false
    for (const view of this.#followers) if (view.isObserved) return true
    return false
  }

  follow(view: RowsView): void {
    this.#followers.add(view)
  }

  /** Called when a view has read all changed rows: it then depends on further changes. */
  caughtUp(view: RowsView): void {
    this.dirty = false
    addDependent(this, view)
  }

  leave(view: RowsView): void {
    this.#followers.delete(view)
    if (this.#followers.size > 0) return
    this.isRemoved = true
    this.kind.allRows = undefined
  }

  find(schema: object, key: string): RowsView | undefined {
    return this.#views.get(schema)?.get(key)
  }

  keep(schema: object, key: string, view: RowsView): void {
    const views = this.#views.get(schema)
    if (views === undefined) this.#views.set(schema, new Map([[key, view]]))
    else views.set(key, view)
  }

  sweep(alive: (dependents: Dependents) => Dependents): void {
    for (const [schema, views] of this.#views) {
      for (const [key, view] of views) {
        view.dependents = alive(view.dependents)
        if (view.dependents !== undefined) continue
        views.delete(key)
        view.close()
      }
      if (views.size === 0) this.#views.delete(schema)
    }
  }
}

/** Returns the node of all rows of a kind. Creates it for the first view. */
export function allRowsOf(kind: Kind<EntityRow>): AllRows {
  // `AllRows` is the only class of this node.
  const existing = kind.allRows as AllRows | undefined
  if (existing !== undefined) return existing
  const rows = new AllRows(kind)
  kind.allRows = rows
  return rows
}
