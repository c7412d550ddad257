import { type ListMembers, type Member, type MembershipChange, pkOfRef } from '../schema/schema.js'
import { type Edit, editedCopy } from '../util/edits.js'
import { type PlaceFinder, placeFinder, type Step } from './member-places.js'
import { additions, distinct, refKey } from './membership.js'

/** Members of a list while they change. */
export class MemberDraft {
  members: ListMembers
  /** What led here from the members as they were; undefined if that is not known, and for maps. */
  steps: Step[] | undefined = []

  constructor(members: ListMembers) {
    this.members = members
  }

  /**
   * Takes members out.
   *
   * @param placeIn - finds members among those that are there, if they were searched before
   */
  remove(refs: readonly Member[], placeIn?: PlaceFinder): void {
    const { members } = this
    if (refs.length === 0) return
    if (members instanceof Map) {
      const gone = new Set(refs.map(refKey))
      this.#replace(new Map([...members].filter(([, member]) => !gone.has(refKey(member)))))
      return
    }
    const places = new Set(refs.map(placeIn ?? placeFinder(members)).filter((at) => at >= 0))
    if (places.size > 0) this.edit({ removed: [...places].sort((a, b) => a - b), added: [] })
  }

  /** Puts members in, each with its key in a map. See `additions`. */
  add(
    entering: readonly (readonly [Member, string | undefined])[],
    at: MembershipChange['at'],
    isLater?: (ref: Member) => boolean,
  ): void {
    const { members } = this
    if (entering.length === 0) return
    if (members instanceof Map) {
      const more = new Map<string, Member>(members)
      for (const [ref, key] of entering) more.set(key ?? pkOfRef(ref), ref)
      this.#replace(more)
      return
    }
    const refs = entering.map(([ref]) => ref)
    if (typeof at === 'function') this.#replace(distinct(at(members as readonly Member[], refs)))
    else this.edit(additions(members as readonly Member[], refs, at, isLater))
  }

  /** Changes an array. */
  edit(edit: Edit<Member>): void {
    const members = this.members as readonly Member[]
    this.members = editedCopy(members, edit)
    this.steps?.push({ members, edit })
  }

  #replace(members: ListMembers): void {
    this.members = members
    this.steps = undefined
  }
}
