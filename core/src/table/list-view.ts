import { INVALID } from '../schema/schema.js'
import type { Node } from './graph.js'
import { BROKEN, failureOf } from './row.js'

/** Up to this number changed members are searched one by one; above it, one pass over the list is cheaper. */
const FEW = 16

/**
 * The array of a list, updated by position: when a member changes, the array is copied once and only that member's positions are
 * replaced. Missing and deleted members leave no gap.
 */
export class ListView {
  /** The members' nodes by position. */
  #children: readonly (Node | null)[] = []
  /** Members that changed since the array was built; undefined if too many to search. */
  #changed: Node[] | undefined = []
  /** True if every child is shown, so that positions of children and of the array agree. */
  #dense = false
  #items: readonly unknown[] | undefined = undefined

  /** Called when a member has changed. */
  noteChange(child: Node): void {
    if (this.#changed === undefined) return
    if (this.#changed.length < FEW) this.#changed.push(child)
    else this.#changed = undefined
  }

  /** Makes the next update read all members, because they are others than before. */
  renew(): void {
    this.#changed = undefined
  }

  /** True if every member is shown. */
  get isWhole(): boolean {
    return this.#dense
  }

  /** The members to read again; undefined for all of them. */
  get changed(): readonly Node[] | undefined {
    return this.#items !== undefined && this.#dense ? this.#changed : undefined
  }

  /** The array for these members; the same one as before if nothing in it differs. */
  update(children: readonly (Node | null)[]): readonly unknown[] {
    const patched = children === this.#children ? this.#patch() : undefined
    const items = patched ?? this.#collect(children)
    this.#children = children
    this.#changed = []
    this.#items = items
    return items
  }

  /** True if the array would be the same again. */
  holds(children: readonly (Node | null)[]): boolean {
    return this.#items !== undefined && sameItems(this.#items, shownOf(children))
  }

  /** Replaces the positions of the members that changed; undefined if these cannot be found cheaply. */
  #patch(): readonly unknown[] | undefined {
    const items = this.#items
    if (items === undefined || this.#changed === undefined || !this.#dense) return undefined
    let copy: unknown[] | undefined
    for (const child of this.#changed) {
      const { view } = child
      if (view === undefined || view === INVALID || view === BROKEN) return undefined
      for (let at = this.#children.indexOf(child); at >= 0; at = this.#children.indexOf(child, at + 1)) {
        if (items[at] === view) continue
        // The array before is frozen: to slice such a one costs fifty times as much.
        copy ??= [...items]
        copy[at] = view
      }
    }
    return copy ?? items
  }

  #collect(children: readonly (Node | null)[]): readonly unknown[] {
    const items = shownOf(children)
    this.#dense = items.length === children.length
    const before = this.#items
    return before !== undefined && sameItems(before, items) ? before : items
  }
}

/** Missing and deleted members leave no gap; null stays. */
function shownOf(children: readonly (Node | null)[]): unknown[] {
  const items: unknown[] = []
  for (const child of children) {
    const view = child === null ? null : child.view
    if (view === BROKEN) throw failureOf(child as Node)
    if (view !== undefined && view !== INVALID) items.push(view)
  }
  return items
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
