import type { EntityInterface, NormalizeContext, Ref, RowRecord, Schema } from './schema.js'
import { isEntity } from './schema.js'
import { Union } from './union.js'

/**
 * The row that a value names without being written: an entity, `{ id }` or a bare key; undefined if it names none.
 *
 * @remarks
 * In a union a value need not say its kind: then it is the first kind that has such a row.
 */
export function namedRef(
  schema: Schema,
  input: unknown,
  context: NormalizeContext,
  parent: unknown,
  field: string | undefined,
): Ref | undefined {
  if (isEntity(schema)) return namedPk(schema, input, context, parent, field)
  return schema instanceof Union ? namedInUnion(schema, input, context, parent, field) : undefined
}

/** What the call's arguments name: the body first, since params may name what encloses it. */
export function namedByArgs(schema: Schema, context: NormalizeContext): readonly Ref[] {
  const [params, body] = context.args
  const inBody = typeof body === 'object' ? namedIn(schema, body, context) : []
  return inBody.length > 0 ? inBody : namedIn(schema, params, context)
}

/** True for an answer that says nothing: no body, `''`, `{}` or `[]`. */
export function isEmpty(input: unknown): boolean {
  if (input === undefined || input === null || input === '') return true
  return typeof input === 'object' && Object.keys(input).length === 0
}

function namedIn(schema: Schema, value: unknown, context: NormalizeContext): readonly Ref[] {
  const refs: Ref[] = []
  for (const item of Array.isArray(value) ? value : [value]) {
    const ref = namedRef(schema, item, context, undefined, undefined)
    if (ref !== undefined) refs.push(ref)
  }
  return refs
}

function namedPk(
  entity: EntityInterface,
  input: unknown,
  context: NormalizeContext,
  parent: unknown,
  field: string | undefined,
): string | undefined {
  if (isEmpty(input) || typeof input === 'boolean') return undefined
  const processed = typeof input === 'object' ? entity.process(input, parent, field, context.args) : input
  const pk = processed === undefined ? undefined : context.pkOf(entity, processed, parent, field)
  return pk ?? (processed === input ? undefined : context.pkOf(entity, input, parent, field))
}

function namedInUnion(
  union: Union<{ readonly [kind: string]: EntityInterface }>,
  input: unknown,
  context: NormalizeContext,
  parent: unknown,
  field: string | undefined,
): Ref | undefined {
  const said = union.kindOf(input, parent, field)
  for (const [schema, entity] of Object.entries(union.kinds)) {
    if (said !== undefined && said !== schema) continue
    const id = namedPk(entity, input, context, parent, field)
    if (id !== undefined && (said === schema || context.current(entity.key, id) !== undefined)) return { id, schema }
  }
  return undefined
}

/** The same value without one member, to see what that member says. */
export function without(value: RowRecord, name: string): RowRecord {
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
}
