import type { FilteredList } from '../lists/filter.js'
import type { SchemaTypes, Typed } from '../schema/infer.js'
import { isEmpty, isUnknownKind, mayBeReceipt, namedByArgs, namedRef, type PlacedValue } from '../schema/named.js'
import {
  type DenormalizeContext,
  INVALID,
  isEntity,
  isInline,
  isUnion,
  type Member,
  type MemberChanges,
  type NormalizeContext,
  pkOfRef,
  type Ref,
  type Schema,
  type UnionSchema,
} from '../schema/schema.js'
import { isUnionRef } from '../schema/union.js'
import { objectOf } from '../schema/values.js'

/** A schema that changes the membership of a Collection's lists. Its value is the affected member, or the list of them. */
export interface MemberSchema<Out, Stored> extends MemberChanges, Typed<SchemaTypes<Out, Out | undefined, Stored>> {
  /** The Collection whose lists it changes. */
  readonly collection: FilteredList
}

/** The base of schemas that change membership: all show their values in the same way. */
export abstract class ChangeSchema<Out, Stored> implements MemberSchema<Out, Stored> {
  declare readonly '~types': MemberSchema<Out, Stored>['~types']
  readonly kind = 'member'
  readonly passesOn = true
  readonly collection: FilteredList

  constructor(collection: FilteredList) {
    this.collection = collection
  }

  abstract normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown

  denormalize(stored: unknown, context: DenormalizeContext): unknown {
    const { member } = this.collection
    if (!Array.isArray(stored)) return showMember(member, stored, context)
    const shown: unknown[] = []
    for (const ref of stored) {
      const view = showMember(member, ref, context)
      if (view !== undefined && view !== INVALID) shown.push(view)
    }
    return shown
  }

  refs(stored: unknown, each: (schema: Schema, value: unknown) => void): void {
    eachChanged(this.collection.member, stored, each)
  }

  parts(): readonly Schema[] {
    return [this.collection.member]
  }
}

/** A member in a response, with its index or key. */
interface MemberInput {
  readonly input: unknown
  readonly at?: string | number | undefined
}

/**
 * Returns the stored value of a normalized member: a reference; `null` and payloads of types unknown to the union
 * unchanged; undefined for a row that `process` deleted.
 *
 * @throws SchemaError for any other value
 */
export function storedMember(
  member: Schema,
  stored: unknown,
  { input, at }: MemberInput,
  context: NormalizeContext,
): Member | undefined {
  if (input === null) return { inline: null }
  // The input names no row, or `process` deleted the row.
  if (stored === undefined || stored === null) return undefined
  if (isUnion(member)) return isKnown(member, stored, input) ? stored : { inline: stored }
  return typeof stored === 'string' ? stored : context.fail('a member of the list', input, at)
}

/** Returns the stored members of an object, by its keys. Members of a mutation's response may be new rows. */
export function keyedMembers(
  member: Schema,
  input: unknown,
  context: NormalizeContext,
  how: 'visit' | 'create',
): ReadonlyMap<string, Member> {
  const record = objectOf(input, context)
  const refs = new Map<string, Member>()
  for (const key of Object.keys(record)) {
    const item = record[key]
    if (item === undefined || item === null) continue
    const ref = storedMember(member, context[how](member, item, record, key), { input: item, at: key }, context)
    if (ref !== undefined) refs.set(key, ref)
  }
  return refs
}

/** True if a union has converted the input to a reference. An input that looks like one is checked by its discriminator. */
function isKnown(union: UnionSchema, stored: unknown, input: unknown): stored is Ref {
  if (!isUnionRef(stored) || union.entityOf(stored.schema) === undefined) return false
  return !isUnionRef(input) || union.kindOf(input, undefined, undefined) === stored.schema
}

/** Returns the keys of new members of a map, which are their primary keys; undefined for an array. */
export function mapKeys(list: FilteredList, members: readonly Member[]): readonly string[] | undefined {
  return list.isMap ? members.map(pkOfRef) : undefined
}

/**
 * Returns the members that a response to `remove` or `move` refers to: entities (which are written), `{ id }`, primary keys,
 * or an array of these. For an empty response or a receipt, the arguments decide. A list results in a list, anything else in
 * one member.
 *
 * @throws SchemaError if neither the response nor the arguments refer to a member
 */
export function meantMembers(
  list: FilteredList,
  placed: PlacedValue,
  context: NormalizeContext,
): Member | readonly Member[] {
  const { input, parent } = placed
  const isByArgs = mayBeReceipt(placed) && namedByArgs(list.member, context).length > 0
  if (isByArgs || isEmpty(input)) return meantByArgs(list, input, context)
  if (!Array.isArray(input)) {
    return (
      meantMember(list.member, placed, context) ?? meantInMap(list, input, context) ?? meantByArgs(list, input, context)
    )
  }
  const refs: Member[] = []
  for (let i = 0; i < input.length; i++) {
    const ref = meantMember(list.member, { input: input[i], parent, field: undefined }, context, i)
    refs.push(ref ?? context.fail('a member of the list', input[i], i))
  }
  return refs
}

function meantMember(
  member: Schema,
  placed: PlacedValue,
  context: NormalizeContext,
  at: string | number | undefined = placed.field,
): Member | undefined {
  const { input, parent } = placed
  if (isUnknownKind(member, placed)) return { inline: context.visit(member, input, parent, at) }
  const named = namedRef(member, placed, context)
  const hasSeveralFields = typeof input === 'object' && input !== null && Object.keys(input).length > 1
  const isOther = !isEntity(member) && !isUnion(member)
  if (!isOther && (named === undefined || !hasSeveralFields)) return named
  return storedMember(member, context.visit(member, input, parent, at), { input, at }, context)
}

/** Returns the members of a response to a map's `remove`, which may be a map itself. */
function meantInMap(list: FilteredList, input: unknown, context: NormalizeContext): readonly Member[] | undefined {
  if (!list.isMap || typeof input !== 'object' || input === null) return undefined
  const refs: Member[] = []
  for (const [key, item] of Object.entries(input)) {
    if (typeof item !== 'object') return undefined
    const ref = meantMember(list.member, { input: item, parent: input, field: key }, context)
    if (ref === undefined) return undefined
    refs.push(ref)
  }
  return refs
}

function meantByArgs(list: FilteredList, input: unknown, context: NormalizeContext): Member | readonly Member[] {
  const refs = namedByArgs(list.member, context)
  if (refs[0] === undefined) return context.fail('a member, its primary key, or arguments that name it', input)
  return refs.length === 1 ? refs[0] : refs
}

/** Returns the affected members that have rows. */
export function rowMembers(stored: Member | readonly Member[]): readonly Member[] {
  // A value other than an array is a single member.
  const all: readonly Member[] = Array.isArray(stored) ? stored : [stored as Member]
  return all.filter((member) => !isInline(member))
}

/** Returns the value of one member. */
export function showMember(member: Schema, stored: unknown, context: DenormalizeContext): unknown {
  return isInline(stored) ? stored.inline : context.visit(member, stored)
}

/** Visits the members that a change stored, for views that are built without recursion. */
export function eachChanged(member: Schema, stored: unknown, each: (schema: Schema, value: unknown) => void): void {
  if (Array.isArray(stored)) for (const ref of stored) eachChanged(member, ref, each)
  else if (!isInline(stored)) each(member, stored)
}
