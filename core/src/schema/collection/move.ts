import { entering, type FilteredList, filterOf, type ListTest, wantedBy } from '../../lists/filter.js'
import { sameRef } from '../../lists/membership.js'
import { namedIn } from '../named.js'
import type { DenormalizeContext, Member, MembershipChange, NormalizeContext, RowRecord, Schema } from '../schema.js'
import { eachMember, keysOf, type MemberSchema, meantMembers, membersOf, showMembers } from './change.js'

/**
 * Moves members to the lists that match what they are now: `move` and `moveWith`.
 *
 * @remarks
 * That is the row's values, merged with the body, merged with the answer; so an answer that does not repeat what the body changed,
 * or that has no body, moves them all the same. Old values play no part: a member leaves every list that holds it and does not match,
 * so answers in any order end alike.
 */
export class CollectionMove<Out, Kept> implements MemberSchema<Out, Kept> {
  declare readonly '~types': MemberSchema<Out, Kept>['~types']
  readonly kind = 'member'
  readonly passesOn = true
  /** The arguments say what an answer without a body means. */
  readonly movesByArgs = true
  readonly collection: FilteredList
  readonly #at: MembershipChange['at']

  constructor(collection: FilteredList, at: MembershipChange['at']) {
    this.collection = collection
    this.#at = at
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown {
    const list = this.collection
    const kept = meantMembers(list, input, context, parent, field)
    const members = membersOf(kept)
    context.change({
      list,
      op: 'move',
      at: this.#at,
      members,
      keys: keysOf(list, members),
      bodies: bodiesOf(list, members, context),
      matches: entering(list.hasDefaultFilter ? filterOf(list, context.args) : rowFilter(list, context.args)),
      wants: list.hasDefaultFilter ? wantedBy(context.args) : undefined,
    })
    return kept
  }

  denormalize(kept: unknown, context: DenormalizeContext): unknown {
    return showMembers(this.collection.member, kept, context)
  }

  refs(kept: unknown, each: (schema: Schema, value: unknown) => void): void {
    eachMember(this.collection.member, kept, each)
  }

  parts(): readonly Schema[] {
    return [this.collection.member]
  }
}

/** What the body, the last argument of a call, says of each member; several bodies name theirs. */
function bodiesOf(list: FilteredList, members: readonly Member[], context: NormalizeContext): readonly RowRecord[] {
  const body = context.args.at(-1)
  if (!Array.isArray(body)) return members.map(() => fieldsOf(body))
  return members.map((ref) =>
    fieldsOf(body.find((item) => namedIn(list.member, item, context).some((named) => sameRef(named, ref)))),
  )
}

function fieldsOf(body: unknown): RowRecord {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  const isForm = typeof FormData !== 'undefined' && body instanceof FormData
  return Object.fromEntries(isForm ? body : Object.entries(body))
}

/** A user's own filter compares lists with the call's arguments; for a move the row's fields stand above these. */
function rowFilter(list: FilteredList, args: readonly unknown[]): ListTest {
  const [params, ...rest] = args
  const given = typeof params === 'object' ? params : undefined
  return (listArgs, record) => list.createCollectionFilter({ ...given, ...record }, ...rest)(listArgs, record)
}
