import { INVALID } from '../schema/schema.js'
import type { Node } from './graph.js'
import { BROKEN, failureOf } from './row.js'

/** Up to this number changed members are searched one by one; above it, one pass over the list is cheaper. */
export const FEW = 16

/**
 * The array of a list, updated by position: when a member changes, the array is copied once and only that member's positions are
 * replaced. Missing and deleted members leave no gap.
 */
export class ListView {
  /** The members' nodes by position. */
  children: (Node | null)[] = []
  /** Members that changed since the array was built; undefined if too many to search. */
  protected changed: Node[] | undefined = undefined
  /** True if every child is shown, so that positions of children and of the array agree. */
  isWhole = false
  protected items: readonly unknown[] | undefined = undefined

  /** Called when a member has changed. */
  noteChange(child: Node): void {
    if (this.changed === undefined) return
    if (this.changed.length < FEW) this.changed.push(child)
    else this.changed = undefined
  }

  /** Makes the next update read all members. */
  renew(): void {
    this.changed = undefined
  }

  /** Shows other members. */
  replace(children: (Node | null)[]): void {
    this.children = children
    this.renew()
  }

  /** The members to read again: those that changed, or all. */
  get toSee(): readonly (Node | null)[] {
    return this.changed ?? this.children
  }

  /** The array for the members; the same one as before if nothing in it differs. */
  update(): readonly unknown[] {
    this.items = this.patch() ?? this.kept(this.#collect())
    this.changed = []
    return this.items
  }

  /**
   * Replaces the positions of the members that changed; undefined if these cannot be found cheaply.
   *
   * @param draft - a copy of the array that may be written into
   */
  protected patch(draft?: unknown[]): readonly unknown[] | undefined {
    const items = draft ?? this.items
    if (items === undefined || this.changed === undefined || !this.isWhole) return undefined
    let copy = draft
    for (const child of this.changed) {
      const { view } = child
      if (!isShown(view)) return undefined
      for (let at = this.children.indexOf(child); at >= 0; at = this.children.indexOf(child, at + 1)) {
        if (items[at] === view) continue
        // The array before is frozen: to slice such a one costs fifty times as much.
        copy ??= [...items]
        copy[at] = view
      }
    }
    return copy ?? items
  }

  /** The array before if a new one has the same items. */
  protected kept(items: readonly unknown[]): readonly unknown[] {
    const before = this.items
    return before !== undefined && sameItems(before, items) ? before : items
  }

  #collect(): readonly unknown[] {
    const items = shownOf(this.children)
    this.isWhole = items.length === this.children.length
    return items
  }
}

export function viewOf(child: Node | null): unknown {
  return child === null ? null : child.view
}

export function isShown(view: unknown): boolean {
  return view !== undefined && view !== INVALID && view !== BROKEN
}

/** Missing and deleted members leave no gap; null stays. */
function shownOf(children: readonly (Node | null)[]): unknown[] {
  const items: unknown[] = []
  for (const child of children) {
    const view = viewOf(child)
    if (view === BROKEN) throw failureOf(child as Node)
    if (isShown(view)) items.push(view)
  }
  return items
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
