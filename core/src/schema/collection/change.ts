import type { SchemaTypes, Typed } from '../infer.js'
import { isEmpty, namedByArgs, namedRef } from '../named.js'
import {
  type DenormalizeContext,
  INVALID,
  isEntity,
  isUnion,
  type NormalizeContext,
  type Ref,
  type Schema,
  type SchemaContract,
} from '../schema.js'
import { isUnionRef } from '../union.js'
import type { FilteredList } from './filter.js'

/** A schema that changes who is in the lists of a Collection: it shows the member that went in, or the list of them. */
export interface MemberSchema<Out, Kept> extends SchemaContract, Typed<SchemaTypes<Out, Out | undefined, Kept>> {
  /** The Collection whose lists it changes. */
  readonly collection: FilteredList
}

/**
 * The reference that a list keeps for what was normalized; undefined for what cannot be a member: a payload of a kind that the
 * union does not know, or a row that `process` refused.
 *
 * @throws SchemaError for anything else that is no member, null for one
 */
export function memberRef(
  member: Schema,
  kept: unknown,
  input: unknown,
  context: NormalizeContext,
  at?: string | number,
): Ref | undefined {
  if (typeof kept === 'string' && !isUnion(member)) return kept
  if (!isUnion(member) || typeof input !== 'object' || input === null) {
    return kept === undefined && input !== undefined ? undefined : context.fail('a member of the list', input, at)
  }
  return isUnionRef(kept) && member.entityOf(kept.schema) !== undefined ? kept : undefined
}

/** The keys under which members go into a map: their primary keys; undefined for an array. */
export function keysOf(list: FilteredList, members: readonly Ref[]): readonly string[] | undefined {
  return list.isMap ? members.map(idOf) : undefined
}

/** The primary key in a reference. */
export function idOf(ref: Ref): string {
  return typeof ref === 'string' ? ref : ref.id
}

/**
 * Who is meant by an answer to `remove` or `move`: entities (which are written), `{ id }`, bare keys, an array of these, or
 * nothing at all, since then the arguments say it. One member, or a list if a list came.
 *
 * @throws SchemaError if neither the answer nor the arguments name a member
 */
export function meantMembers(
  list: FilteredList,
  input: unknown,
  context: NormalizeContext,
  parent: unknown,
  field: string | undefined,
): Ref | readonly Ref[] {
  if (isEmpty(input)) return byArgs(list, input, context)
  if (!Array.isArray(input)) {
    return (
      meantMember(list.member, input, context, parent, field) ??
      meantInMap(list, input, context) ??
      byArgs(list, input, context)
    )
  }
  const refs: Ref[] = []
  for (let i = 0; i < input.length; i++) {
    refs.push(
      meantMember(list.member, input[i], context, parent, i) ?? context.fail('a member of the list', input[i], i),
    )
  }
  return refs
}

function meantMember(
  member: Schema,
  input: unknown,
  context: NormalizeContext,
  parent: unknown,
  field: string | number | undefined,
): Ref | undefined {
  const named = namedRef(member, input, context, parent, typeof field === 'number' ? undefined : field)
  const saysMore = typeof input === 'object' && input !== null && Object.keys(input).length > 1
  const isOther = !isEntity(member) && !isUnion(member)
  if (!isOther && (named === undefined || !saysMore)) return named
  return memberRef(member, context.visit(member, input, parent, field), input, context, field)
}

/** An answer to a map's `remove` may be a map itself. */
function meantInMap(list: FilteredList, input: unknown, context: NormalizeContext): readonly Ref[] | undefined {
  if (!list.isMap || typeof input !== 'object' || input === null) return undefined
  const refs: Ref[] = []
  for (const [key, item] of Object.entries(input)) {
    if (typeof item !== 'object') return undefined
    const ref = meantMember(list.member, item, context, input, key)
    if (ref === undefined) return undefined
    refs.push(ref)
  }
  return refs
}

function byArgs(list: FilteredList, input: unknown, context: NormalizeContext): Ref | readonly Ref[] {
  const refs = namedByArgs(list.member, context)
  if (refs[0] === undefined) return context.fail('a member, its primary key, or arguments that name it', input)
  return refs.length === 1 ? refs[0] : refs
}

/** Shows what a change kept: one member or a list of them. */
export function showMembers(member: Schema, kept: unknown, context: DenormalizeContext): unknown {
  if (!Array.isArray(kept)) return context.visit(member, kept)
  const shown: unknown[] = []
  for (const ref of kept) {
    const view = context.visit(member, ref)
    if (view !== undefined && view !== INVALID) shown.push(view)
  }
  return shown
}

/** Names the members that a change kept, for views that are built without recursion. */
export function eachMember(member: Schema, kept: unknown, each: (schema: Schema, value: unknown) => void): void {
  if (Array.isArray(kept)) for (const ref of kept) each(member, ref)
  else each(member, kept)
}
