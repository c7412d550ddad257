import { sameItems } from '../util/equal.js'
import { isShown, viewOrThrow } from './failure.js'
import { type Node, removeDependent } from './graph.js'
import { type Splice, splicesOf } from './splices.js'

/** Up to this number, changed members are searched one by one; above it, one pass over the list is cheaper. */
const FEW = 16
/** Up to this number, items are passed as arguments. */
const MANY = 1_000

/** The edits between an array and the next one. */
export interface Derived<Ref> {
  readonly before: readonly Ref[]
  readonly splices: readonly Splice[]
  /** True if no two members can have one node. */
  readonly isDistinct: boolean
}

/**
 * The array that shows a list of rows. The members are compared with the previous ones: only members that changed or came
 * are read, and the array is copied once. Missing and deleted members leave no gap.
 */
export class Items<Ref, Item extends Node> {
  readonly #owner: Node
  readonly #same: (a: Ref, b: Ref) => boolean
  /** The members that were last passed in; `#refs` are those that are not undefined. */
  #members: readonly Ref[] | undefined
  #refs: readonly Ref[] | undefined
  #sweep = 0
  /** The members' nodes by position; null for a member that is shown as null. */
  nodes: (Item | null)[] = []
  /** Members that have changed since the array was built; undefined if all must be read. */
  #changed: Item[] | undefined
  /** Positions of nodes that have come since, which must be read, too. */
  #coming: readonly Splice[] = []
  /** The members' views by position: the array itself if every member is shown. */
  #views: unknown[] = []
  /** True if every member is shown. */
  isWhole = false
  #shown: readonly unknown[] = []

  /**
   * @param owner - the node that shows the list; members that have left stop notifying it
   * @param same - true if two members have the same node
   */
  constructor(owner: Node, same: (a: Ref, b: Ref) => boolean = Object.is) {
    this.#owner = owner
    this.#same = same
  }

  /** Called when a member has changed. */
  noteChange(child: Node): void {
    if (this.#changed === undefined || this.#changed.length === FEW) this.#changed = undefined
    // Only the members' nodes notify the owner.
    else this.#changed.push(child as Item)
  }

  /** Makes the next update read all members. */
  renew(): void {
    this.#changed = undefined
    this.#coming = []
  }

  /**
   * Returns the nodes to read before the next update: those that changed or came, or all.
   *
   * @param sweep - the newest sweep of retention, which may have dropped nodes that were found before it
   * @param derived - the edits that led to these members, if they are known
   */
  see(
    members: readonly Ref[],
    nodeOf: (ref: Ref) => Item | null,
    sweep: number,
    derived?: Derived<Ref>,
  ): readonly (Item | null)[] {
    if (members !== this.#members || sweep !== this.#sweep) {
      if (derived !== undefined && derived.before === this.#refs && sweep === this.#sweep)
        this.#change(members, nodeOf, derived)
      else this.#compare(members, nodeOf, sweep)
      this.#members = members
      this.#sweep = sweep
    }
    if (this.#changed === undefined) return this.nodes
    const came = this.#coming.flatMap(({ at, added }) => this.nodes.slice(at, at + added))
    return came.length === 0 ? this.#changed : [...this.#changed, ...came]
  }

  #compare(members: readonly Ref[], nodeOf: (ref: Ref) => Item | null, sweep: number): void {
    const refs = members.includes(undefined as Ref) ? members.filter((ref) => ref !== undefined) : members
    if (this.#refs !== undefined && sweep === this.#sweep) {
      this.#change(refs, nodeOf, { splices: splicesOf(this.#refs, refs, this.#same), isDistinct: false })
      return
    }
    const left = this.nodes
    this.nodes = refs.map(nodeOf)
    this.#refs = refs
    this.renew()
    this.#leave(left, this.nodes, false)
  }

  #change(
    refs: readonly Ref[],
    nodeOf: (ref: Ref) => Item | null,
    { splices, isDistinct }: Omit<Derived<Ref>, 'before'>,
  ): void {
    // All nodes are looked up before anything changes, since a user's schema may throw.
    const came = splices.map(({ at, added }) => refs.slice(at, at + added).map(nodeOf))
    this.#refs = refs
    // Members that came with an earlier change have not been read yet.
    if (this.#coming.length > 0 || this.#views.length !== this.nodes.length) this.renew()
    else if (this.#changed !== undefined) this.#views = [...this.#views]
    const left = applySplices(this.nodes, splices, came)
    if (this.#changed !== undefined) applySplices(this.#views, splices, came)
    this.#coming = splices
    this.#leave(left, isDistinct ? came.flat() : this.nodes, isDistinct)
  }

  /** Stops members that have left from notifying the owner. */
  #leave(left: readonly (Item | null)[], now: readonly (Item | null)[], isDistinct: boolean): void {
    if (left.length === 0) return
    const there = left.length > FEW ? new Set(now) : { has: (node: Item | null) => now.includes(node) }
    for (const node of left) if (node !== null && !there.has(node)) removeDependent(node, this.#owner)
    // The list must not read members that have left, which could form a false ring. Members that only moved are still read.
    this.#changed = this.#changed?.filter((node) => !left.includes(node) || (!isDistinct && there.has(node)))
  }

  /** Returns the array of the members: the previous one if nothing in it differs. */
  update(): readonly unknown[] {
    const changed = this.#changed
    // The shown array is copied only for a member whose view has changed.
    const isCopied = this.#views === this.#shown
    const [first] = this.#coming
    if (changed === undefined) {
      this.#views = this.nodes.map(viewOf)
      this.isWhole = false
    } else {
      for (const { at, added } of this.#coming)
        for (let i = at; i < at + added; i++) this.#place(i, viewOf(this.nodes[i]))
      for (const node of changed) {
        for (let at = this.nodes.indexOf(node); at >= 0; at = this.nodes.indexOf(node, at + 1))
          this.#place(at, node.view)
      }
    }
    this.#changed = []
    this.#coming = []
    if (this.#views === this.#shown) return this.#shown
    this.isWhole ||= this.#views.every(isShown)
    if (!this.isWhole) for (const view of this.#views) viewOrThrow(view)
    const shown = this.isWhole ? this.#views : this.#views.filter(isShown)
    // A difference is most likely where members came or left, so that position is compared first.
    const differs = first !== undefined && shown[first.at] !== this.#shown[first.at]
    if (differs || (isCopied && this.isWhole && changed !== undefined) || !sameItems(this.#shown, shown))
      this.#shown = Object.freeze(shown)
    if (this.isWhole) this.#views = this.#shown as unknown[]
    return this.#shown
  }

  #place(at: number, view: unknown): void {
    if (this.#views[at] === view) return
    // The previous array is frozen, and slicing a frozen array takes fifty times as long.
    if (this.#views === this.#shown) this.#views = [...this.#views]
    this.#views[at] = view
    this.isWhole &&= isShown(view)
  }
}

/**
 * Applies splices to an array and returns the removed items. If the first splice adds items, they are applied from the
 * right, since an array that grows before it shrinks is copied once more.
 */
function applySplices<Item>(
  all: Item[],
  splices: readonly Splice[],
  came: readonly (readonly Item[])[],
): readonly Item[] {
  const isFromRight = splices[0]?.added
  let shift = 0
  const steps = splices.map(({ at, removed, added }, i) => {
    const from = isFromRight ? at - shift : at
    shift += added - removed
    return [from, removed, came[i] as readonly Item[]] as const
  })
  if (isFromRight) steps.reverse()
  return steps.flatMap(([from, removed, items]) => splice(all, from, removed, items))
}

function viewOf(node: Node | null | undefined): unknown {
  return node ? node.view : null
}

/** Does what `Array.prototype.splice` does, for any number of items. */
function splice<Item>(items: Item[], at: number, count: number, came: readonly Item[]): Item[] {
  if (came.length < MANY) return items.splice(at, count, ...came)
  const left = items.splice(at, count)
  const tail = items.splice(at)
  for (const item of came) items.push(item)
  for (const item of tail) items.push(item)
  return left
}
