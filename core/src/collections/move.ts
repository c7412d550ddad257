import { entering, type FilteredList, filterOf, type ListTest, wantedBy } from '../lists/filter.js'
import { sameRef } from '../lists/members.js'
import { namedIn } from '../schema/named.js'
import type { Member, MembershipChange, NormalizeContext, RowRecord } from '../schema/schema.js'
import { ChangeSchema, mapKeys, meantMembers, rowMembers } from './change.js'

/**
 * Moves members to the lists that their new values match: `move` and `moveWith`.
 *
 * @remarks
 * The new values are the row's, merged with the body, then with the response, so it also works if the response has no body
 * or omits the changed fields. Old values are not used: a member leaves every list that contains it and does not match, so
 * responses in any order have the same result.
 */
export class CollectionMove<Out, Stored> extends ChangeSchema<Out, Stored> {
  /** True: if the response has no body, the arguments determine the change. */
  readonly movesByArgs = true
  readonly #at: MembershipChange['at']

  constructor(collection: FilteredList, at: MembershipChange['at']) {
    super(collection)
    this.#at = at
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown {
    const list = this.collection
    const stored = meantMembers(list, { input, parent, field }, context)
    const members = rowMembers(stored)
    context.change({
      list,
      op: 'move',
      at: this.#at,
      members,
      keys: mapKeys(list, members),
      bodies: bodiesFor(list, members, context),
      matches: entering(list.hasDefaultFilter ? filterOf(list, context.args) : rowFilter(list, context.args)),
      wants: list.hasDefaultFilter ? wantedBy(context.args) : undefined,
    })
    return stored
  }
}

/** Returns the body for each member, from the last argument of a call. Several bodies are matched by their primary keys. */
function bodiesFor(list: FilteredList, members: readonly Member[], context: NormalizeContext): readonly RowRecord[] {
  const body = context.args.at(-1)
  if (!Array.isArray(body)) return members.map(() => bodyFields(body))
  return members.map((ref) =>
    bodyFields(body.find((item) => namedIn(list.member, item, context).some((named) => sameRef(named, ref)))),
  )
}

function bodyFields(body: unknown): RowRecord {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  const isForm = typeof FormData !== 'undefined' && body instanceof FormData
  return Object.fromEntries(isForm ? body : Object.entries(body))
}

/** Returns the custom filter of a move, which gets the row's fields merged over the call's arguments. */
function rowFilter(list: FilteredList, args: readonly unknown[]): ListTest {
  const [params, ...rest] = args
  const fromParams = typeof params === 'object' ? params : undefined
  return (listArgs, record) => list.createCollectionFilter({ ...fromParams, ...record }, ...rest)(listArgs, record)
}
