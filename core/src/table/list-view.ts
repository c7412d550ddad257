import { INVALID } from '../schema/schema.js'
import { sameItems } from '../util/equal.js'
import type { Node } from './graph.js'
import { BROKEN, failureOf } from './row.js'

/** Up to this number changed members are searched one by one; above it, one pass over the list is cheaper. */
export const FEW_MEMBERS = 16

/**
 * The array of a list, updated by position: when a member changes, the array is copied once and only that member's positions are
 * replaced. Missing and deleted members leave no gap.
 */
export class ListView {
  /** The members' nodes by position. */
  children: (Node | null)[] = []
  /** Members that changed since the array was built; undefined if all are to be read. */
  protected changed: Node[] | undefined = undefined
  /** True if every member is shown. */
  isWhole = false
  /** The members' views by position: the array itself if every member is shown. */
  protected views: readonly unknown[] = []
  #items: readonly unknown[] | undefined = undefined

  /** Called when a member has changed. */
  noteChange(child: Node): void {
    if (this.changed === undefined) return
    if (this.changed.length < FEW_MEMBERS) this.changed.push(child)
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
    const views = this.changed === undefined ? this.#read() : this.patch(this.changed)
    const items = this.isWhole ? views : this.reused(shownOf(views, this.children))
    this.isWhole = items.length === views.length
    this.views = this.isWhole ? items : views
    this.#items = items
    this.changed = []
    return items
  }

  #read(): readonly unknown[] {
    this.isWhole = false
    return this.children.map(viewOf)
  }

  /**
   * Replaces the views of the members that changed.
   *
   * @param draft - a copy of the views that may be written into
   */
  protected patch(changed: readonly Node[], draft?: unknown[]): readonly unknown[] {
    let views = draft
    for (const child of changed) {
      const { view } = child
      for (let at = this.children.indexOf(child); at >= 0; at = this.children.indexOf(child, at + 1)) {
        if ((views ?? this.views)[at] === view) continue
        // The array before is frozen: to slice such a one costs fifty times as much.
        views ??= [...this.views]
        views[at] = view
        this.isWhole &&= isShown(view)
      }
    }
    return views ?? this.views
  }

  /** The array before if it has the same items. */
  protected reused(items: readonly unknown[]): readonly unknown[] {
    const before = this.#items
    return before !== undefined && sameItems(before, items) ? before : items
  }
}

export function viewOf(child: Node | null): unknown {
  return child === null ? null : child.view
}

/** False for members that are missing, deleted, or cannot be shown. */
export function isShown(view: unknown): boolean {
  return view !== undefined && view !== INVALID && view !== BROKEN
}

/** Missing and deleted members leave no gap; null stays. */
function shownOf(views: readonly unknown[], children: readonly (Node | null)[]): readonly unknown[] {
  const broken = views.indexOf(BROKEN)
  if (broken >= 0) throw failureOf(children[broken] as Node)
  // A copy that is closed up in place costs a third of an array that grows.
  const items = [...views]
  let count = 0
  for (const view of views) if (isShown(view)) items[count++] = view
  items.length = count
  return items
}
