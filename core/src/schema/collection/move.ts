import type { DenormalizeContext, MembershipChange, NormalizeContext, Ref, Schema } from '../schema.js'
import { eachMember, keysOf, type MemberSchema, meantMembers, showMembers } from './change.js'
import { entering, type FilteredList, type ListTest, wantedBy } from './filter.js'

/**
 * Moves members to the lists that they match after the answer is merged: `move` and `moveWith`.
 *
 * @remarks
 * Old values play no part: a member leaves every list that holds it and does not match, so answers in any order end alike.
 */
export class CollectionMove<Out, Kept> implements MemberSchema<Out, Kept> {
  declare readonly '~types': MemberSchema<Out, Kept>['~types']
  readonly passesOn = true
  readonly collection: FilteredList
  readonly #at: MembershipChange['at']

  constructor(collection: FilteredList, at: MembershipChange['at']) {
    this.collection = collection
    this.#at = at
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown {
    const list = this.collection
    const kept = meantMembers(list, input, context, parent, field)
    const members: readonly Ref[] = typeof kept === 'string' || 'id' in kept ? [kept] : kept
    context.change({
      list,
      op: 'move',
      at: this.#at,
      members,
      keys: keysOf(list, members),
      matches: entering(
        list.hasDefaultFilter ? list.createCollectionFilter(...context.args) : rowFilter(list, context.args),
      ),
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

/** A user's own filter compares lists with the call's arguments; for a move the row's fields stand above these. */
function rowFilter(list: FilteredList, args: readonly unknown[]): ListTest {
  const [params, ...rest] = args
  const given = typeof params === 'object' ? params : undefined
  return (listArgs, record) => list.createCollectionFilter({ ...given, ...record }, ...rest)(listArgs, record)
}
