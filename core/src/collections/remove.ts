import { type FilteredList, isFilter, sameArg } from '../lists/filter.js'
import { argsPk } from '../schema/named.js'
import {
  type EntityInterface,
  isEntity,
  isUnion,
  type ListArgs,
  type NormalizeContext,
  pkOfRef,
  type RowRecord,
  type Schema,
} from '../schema/schema.js'
import { ChangeSchema, meantMembers, rowMembers } from './change.js'

/**
 * Removes members from the lists whose arguments include the call's: `remove`.
 *
 * @remarks
 * The response may be the entity, which is then updated, `{ id }`, a primary key, or an array of these. For an empty
 * response, and a bare text or number, the arguments identify the member if they can. Arguments that identify it do not
 * select lists.
 */
export class CollectionRemove<Out, Stored> extends ChangeSchema<Out, Stored> {
  readonly takesEmpty = true

  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown {
    const stored = meantMembers(this.collection, { input, parent, field }, context)
    const members = rowMembers(stored)
    const wanted = wantedArgs(this.collection, context)
    context.change({
      list: this.collection,
      op: 'remove',
      at: 'end',
      members,
      matches: (args, _record, member) => includesAll(args, wanted, pkOfRef(member)),
    })
    return stored
  }
}

/** An argument of the call that lists must have, unless it identifies the member. */
interface WantedArg {
  readonly name: string
  readonly value: unknown
  /** The primary keys that the argument identifies, alone or with other arguments. */
  readonly names: readonly string[]
}

function wantedArgs(list: FilteredList, context: NormalizeContext): readonly WantedArg[] {
  const [params] = context.args
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return []
  const wanted: WantedArg[] = []
  // The call's arguments are data, whose fields are compared by name.
  for (const [name, value] of Object.entries(params as RowRecord)) {
    if (value === undefined || !isFilter(list, name)) continue
    wanted.push({ name, value, names: namedWith(name, params as RowRecord, entitiesOf(list.member), context) })
  }
  return wanted
}

/** Returns the primary keys that the arguments identify only with this one. */
function namedWith(
  name: string,
  params: RowRecord,
  entities: readonly EntityInterface[],
  context: NormalizeContext,
): readonly string[] {
  const names: string[] = []
  for (const entity of entities) {
    const pk = argsPk(entity, params, context)
    const { [name]: _, ...others } = params
    if (pk !== undefined && argsPk(entity, others, context) !== pk) names.push(pk)
    const found = pk === undefined && entity.indexes?.includes(name) ? context.named(entity) : undefined
    if (found !== undefined) names.push(found)
  }
  return names
}

function entitiesOf(member: Schema): readonly EntityInterface[] {
  if (isUnion(member)) return member.parts()
  return isEntity(member) ? [member] : []
}

function includesAll(args: ListArgs, wanted: readonly WantedArg[], id: string): boolean {
  for (const { name, value, names } of wanted) {
    if (!names.includes(id) && !sameArg(args[name], value)) return false
  }
  return true
}
