import { roomyCopy } from '../util/edits.js'
import { type Node, removeDependent } from './graph.js'
import { FEW_MEMBERS, isShown, ListView, viewOf } from './list-view.js'
import type { MembersChange } from './row.js'
import { splicesIn, splicesOf } from './splices.js'

/** Up to this number members that came are put into an array in place: they are passed as arguments. */
const MANY = 1_000

/** Members by position, or those of a map, which are looked up all together. */
type MemberRefs<Ref> = readonly Ref[] | ReadonlyMap<string, Ref>

/** Nodes that came, in the place of those that left. */
interface NodeSplice {
  readonly at: number
  readonly removed: number
  readonly came: readonly Node[]
}

/**
 * The array of a list whose members come and go: they are compared with those before, so that only new ones are looked up and read,
 * and the array is copied once.
 */
export class SplicedView<Ref> extends ListView {
  readonly #owner: Node
  readonly #same: (a: Ref, b: Ref) => boolean
  /** The members that `children` are the nodes of. */
  #members: MemberRefs<Ref> | undefined = undefined
  #sweep = 0
  /** How they become others, if that is known. */
  #expected: MembersChange | undefined = undefined
  /** How the members differ from those that the array was built of. */
  #splices: readonly NodeSplice[] = []

  /**
   * @param owner - what shows the list; members that left do not notify it any more
   * @param same - true if two members have the same node
   */
  constructor(owner: Node, same: (a: Ref, b: Ref) => boolean) {
    super()
    this.#owner = owner
    this.#same = same
  }

  /** Notes how members become others, so that not all need be compared. */
  expect(change: MembersChange): void {
    this.#expected = change.before === this.#members ? change : undefined
  }

  /**
   * Returns the nodes to read before the next update: those that changed or came, or all.
   *
   * @param sweep - the newest sweep of retention; a node that was found before it may have been dropped
   */
  see(members: MemberRefs<Ref>, nodeOf: (ref: Ref) => Node, sweep: number): readonly (Node | null)[] {
    if (members !== this.#members) {
      // All are looked up before anything changes, since a user's schema may throw.
      const splices = sweep === this.#sweep ? this.#splicesTo(members, nodeOf) : undefined
      if (splices === undefined) {
        const nodes = Array.from(members.values(), nodeOf)
        this.#leave(this.children)
        this.replace(nodes)
      } else this.#splice(splices)
      this.#members = members
      this.#sweep = sweep
      this.#expected = undefined
    }
    return this.changed ? [...this.changed, ...this.#splices.flatMap(({ came }) => came)] : this.children
  }

  override update(): readonly unknown[] {
    const items = super.update()
    this.#splices = []
    return items
  }

  /** How the members differ from those before; undefined if all are to be looked up. */
  #splicesTo(members: MemberRefs<Ref>, nodeOf: (ref: Ref) => Node): readonly NodeSplice[] | undefined {
    const before = this.#members
    if (!isArray(before) || !isArray(members)) return undefined
    const expected = this.#expected
    const isExpected = expected?.members === members
    const splices = (isExpected ? splicesIn(expected.edit) : undefined) ?? splicesOf(before, members, this.#same)
    if (splices.some(({ added }) => added > MANY)) return undefined
    return splices.map(({ at, removed, added }) => ({ at, removed, came: members.slice(at, at + added).map(nodeOf) }))
  }

  #splice(splices: readonly NodeSplice[]): void {
    const left = splices.flatMap(({ at, removed, came }) => this.children.splice(at, removed, ...came))
    this.#leave(left)
    // If the array was not built since the members changed before, all is read again.
    if (this.#splices.length > 0 || left.length > FEW_MEMBERS) this.renew()
    // A member that left may stand elsewhere.
    else if (left.length > 0)
      this.changed &&= [...new Set([...this.changed, ...left])].filter((child): child is Node =>
        this.children.includes(child),
      )
    this.#splices = splices
  }

  #leave(left: readonly (Node | null)[]): void {
    for (const child of left) if (child !== null) removeDependent(child, this.#owner)
  }

  protected override patch(changed: readonly Node[]): readonly unknown[] {
    if (this.#splices.length === 0) return super.patch(changed)
    const coming = this.#splices.flatMap(({ came }) => came.map(viewOf))
    this.isWhole &&= coming.every(isShown)
    // The array before is frozen: to join others to it takes five times as long as to spread it.
    const copy = [...this.views]
    const draft = coming.length > 0 ? roomyCopy(copy, coming) : copy
    for (const { at, removed, came } of this.#splices) draft.splice(at, removed, ...came.map(viewOf))
    const views = super.patch(changed, draft)
    // Two members that are no rows may show the same.
    const at = this.#splices[0]?.at ?? 0
    return this.isWhole && views[at] === this.views[at] ? this.reused(views) : views
  }
}

function isArray<Ref>(members: MemberRefs<Ref> | undefined): members is readonly Ref[] {
  return Array.isArray(members)
}
