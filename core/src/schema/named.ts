import {
  type EntityInterface,
  isEntity,
  isUnion,
  type NormalizeContext,
  type Ref,
  type RowRecord,
  type Schema,
  type UnionSchema,
} from './schema.js'

/**
 * Returns the row that a value refers to, without writing it: an entity, `{ id }` or a primary key; undefined if there is none.
 *
 * @remarks
 * In a union a value may omit its discriminator: the first entity with such a row is used.
 */
export function namedRef(
  schema: Schema,
  input: unknown,
  context: NormalizeContext,
  parent: unknown,
  field: string | undefined,
): Ref | undefined {
  return named(schema, input, context, parent, field, answerPk)
}

/** True for a payload whose discriminator the union does not know: it refers to none of its rows. */
export function isUnknownKind(
  schema: Schema,
  input: unknown,
  parent: unknown,
  field: string | number | undefined,
): boolean {
  if (!isUnion(schema)) return false
  const kind = schema.kindOf(input, parent, typeof field === 'number' ? undefined : field)
  return kind !== undefined && schema.entityOf(kind) === undefined
}

/** Returns the row that the call's arguments refer to. The body comes first, since params may refer to a parent. */
export function namedByArgs(schema: Schema, context: NormalizeContext): readonly Ref[] {
  const [params, body] = context.args
  const inBody = typeof body === 'object' ? namedIn(schema, body, context) : []
  const named = inBody.length > 0 ? inBody : namedIn(schema, params, context)
  return named.length > 0 ? named : lookedUp(schema, context)
}

/** The row that the arguments refer to by an index. */
function lookedUp(schema: Schema, context: NormalizeContext): readonly Ref[] {
  if (isEntity(schema)) return [context.named(schema)].filter((pk) => pk !== undefined)
  if (!isUnion(schema)) return []
  for (const kind of Object.keys(schema.kinds)) {
    const entity = schema.entityOf(kind)
    const id = entity && context.named(entity)
    if (id !== undefined) return [{ id, schema: kind }]
  }
  return []
}

/** True for an empty response: no body, `''`, `{}` or `[]`. */
export function isEmpty(input: unknown): boolean {
  if (input === undefined || input === null || input === '') return true
  return typeof input === 'object' && Object.keys(input).length === 0
}

/** The rows that a value, or each value of an array, refers to in the same way as arguments. */
export function namedIn(schema: Schema, value: unknown, context: NormalizeContext): readonly Ref[] {
  const refs: Ref[] = []
  for (const item of Array.isArray(value) ? value : [value]) {
    const ref = named(schema, item, context, undefined, undefined, argsPk)
    if (ref !== undefined) refs.push(ref)
  }
  return refs
}

/** A function that reads the primary key of an entity from a value. */
type Naming = (
  entity: EntityInterface,
  input: unknown,
  context: NormalizeContext,
  parent: unknown,
  field: string | undefined,
) => string | undefined

function named(
  schema: Schema,
  input: unknown,
  context: NormalizeContext,
  parent: unknown,
  field: string | undefined,
  naming: Naming,
): Ref | undefined {
  if (isEmpty(input) || typeof input === 'boolean') return undefined
  if (isEntity(schema)) return naming(schema, input, context, parent, field)
  return isUnion(schema) ? namedInUnion(schema, input, context, parent, field, naming) : undefined
}

/**
 * Reads the primary key from a response, after `process`, or before it, since the response to a deletion may have fewer fields than
 * `process` expects.
 */
function answerPk(
  entity: EntityInterface,
  input: unknown,
  context: NormalizeContext,
  parent: unknown,
  field: string | undefined,
): string | undefined {
  if (typeof input !== 'object') return context.pkOf(entity, input, parent, field)
  let processed: unknown
  try {
    processed = entity.process(input, parent, field, context.args)
  } catch (cause) {
    const pk = context.pkOf(entity, input, parent, field)
    if (pk === undefined) throw cause
    return pk
  }
  const pk = processed === undefined ? undefined : context.pkOf(entity, processed, parent, field)
  return pk ?? (processed === input ? undefined : context.pkOf(entity, input, parent, field))
}

/** Reads the primary key from arguments, which may be a part of a record: if `pk` throws for them, they refer to no row. */
export function argsPk(entity: EntityInterface, value: unknown, context: NormalizeContext): string | undefined {
  try {
    return context.pkOf(entity, value, undefined, undefined)
  } catch {
    return undefined
  }
}

function namedInUnion(
  union: UnionSchema,
  input: unknown,
  context: NormalizeContext,
  parent: unknown,
  field: string | undefined,
  naming: Naming,
): Ref | undefined {
  const said = union.kindOf(input, parent, field)
  for (const schema of Object.keys(union.kinds)) {
    const entity = union.entityOf(schema)
    if (entity === undefined || (said !== undefined && said !== schema)) continue
    const id = naming(entity, input, context, parent, field)
    if (id !== undefined && (said === schema || context.current(entity.key, id) !== undefined)) return { id, schema }
  }
  return undefined
}

/** The same value without one member, to see what depends on that member. */
export function without(value: RowRecord, name: string): RowRecord {
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
}

/** The own member of any value, or the field of a FormData. */
export function memberOf(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined
  if (typeof FormData !== 'undefined' && holder instanceof FormData) return holder.get(name) ?? undefined
  // Checked above: an object may be read by any name.
  return Object.hasOwn(holder, name) ? (holder as RowRecord)[name] : undefined
}
