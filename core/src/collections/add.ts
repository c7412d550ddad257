import { entering, type FilteredList, filterOf, type ListTest, wantedBy } from '../lists/filter.js'
import {
  type DenormalizeContext,
  isInline,
  type Member,
  type MembershipChange,
  type NormalizeContext,
  type Schema,
} from '../schema/schema.js'
import { showValues, storedEntries } from '../schema/values.js'
import { ChangeSchema, eachChanged, keyedMembers, mapKeys, showMember, storedMember } from './change.js'

/** The differences between `push`, `unshift` and `addWith`. */
export interface AddOptions {
  readonly at: MembershipChange['at']
  /** The filter of `addWith`, which replaces the Collection's own. */
  readonly filter?: ((...args: readonly unknown[]) => ListTest) | undefined
}

/** Adds the entities of a response to the lists that they match: `push`, `unshift` and `addWith`. */
export class CollectionAdd<Out, Stored> extends ChangeSchema<Out, Stored> {
  readonly #options: AddOptions

  constructor(collection: FilteredList, options: AddOptions) {
    super(collection)
    this.#options = options
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown {
    const { member } = this.collection
    if (!Array.isArray(input)) {
      const ref = storedMember(member, context.create(member, input, parent, field), { input }, context)
      if (ref !== undefined) this.#add([ref], context)
      return ref
    }
    const refs: Member[] = []
    for (let i = 0; i < input.length; i++) {
      const item = { input: input[i], at: i }
      const ref = storedMember(member, context.create(member, item.input, parent, i), item, context)
      if (ref !== undefined && item.input !== null) refs.push(ref)
    }
    this.#add(refs, context)
    return refs
  }

  #add(additions: readonly Member[], context: NormalizeContext): void {
    // A member without a row has no key for a map.
    const members = this.collection.isMap ? additions.filter((member) => !isInline(member)) : additions
    addMembers(this.collection, this.#options, { members, keys: mapKeys(this.collection, members) }, context)
  }
}

/** Adds the members of a response's object under its keys: `assign` of a Collection of `Values`. */
export class CollectionAssign<Out, Stored> extends ChangeSchema<Out, Stored> {
  normalize(input: unknown, context: NormalizeContext): ReadonlyMap<string, Member> {
    const entered = keyedMembers(this.collection.member, input, context, 'create')
    const added = { members: [...entered.values()], keys: [...entered.keys()] }
    addMembers(this.collection, { at: 'key' }, added, context)
    return entered
  }

  override denormalize(stored: unknown, context: DenormalizeContext): unknown {
    const { member } = this.collection
    return showValues(member, stored, context, (item) => showMember(member, item, context))
  }

  override refs(stored: unknown, each: (schema: Schema, value: unknown) => void): void {
    for (const [, ref] of storedEntries(stored)) eachChanged(this.collection.member, ref, each)
  }
}

/** Adds members to the lists that they match. */
function addMembers(
  list: FilteredList,
  { at, filter }: AddOptions,
  { members, keys }: Pick<MembershipChange, 'members' | 'keys'>,
  context: NormalizeContext,
): void {
  const { args } = context
  const test = filter === undefined ? filterOf(list, args) : filter(...args)
  const wants = filter === undefined && list.hasDefaultFilter ? wantedBy(args) : undefined
  context.change({ list, op: 'add', at, members, keys, matches: entering(test), wants })
}
