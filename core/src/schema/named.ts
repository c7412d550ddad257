import {
  type EntityInterface,
  isEntity,
  isUnion,
  type NormalizeContext,
  type Ref,
  type RowRecord,
  type Schema,
} from './schema.js'

/** A value and where it is in a response. */
export interface PlacedValue {
  readonly input: unknown
  readonly parent: unknown
  readonly field: string | undefined
}

/**
 * Returns the row that a value refers to, without writing it: an entity, `{ id }` or a primary key; undefined if there is
 * none.
 *
 * @remarks
 * In a union a value may omit its discriminator: the first entity with such a row is used.
 */
export function namedRef(schema: Schema, placed: PlacedValue, context: NormalizeContext): Ref | undefined {
  return named(schema, placed, context, (entity) => responsePk(entity, placed, context))
}

/** True for a payload with an unknown discriminator, which refers to no row of the union. */
export function isUnknownKind(schema: Schema, { input, parent, field }: PlacedValue): boolean {
  if (!isUnion(schema)) return false
  const kind = schema.kindOf(input, parent, field)
  return kind !== undefined && schema.entityOf(kind) === undefined
}

/** Returns the row that the call's arguments refer to. The body comes first, since params may refer to a parent. */
export function namedByArgs(schema: Schema, context: NormalizeContext): readonly Ref[] {
  const [params, body] = context.args
  const inBody = typeof body === 'object' ? namedIn(schema, body, context) : []
  const named = inBody.length > 0 ? inBody : namedIn(schema, params, context)
  return named.length > 0 ? named : lookedUp(schema, context)
}

/**
 * True if a whole response is a text or a number that may be a receipt instead of a primary key, such as "ok" or the number
 * of deleted rows. Within an object or an array, it is a key.
 */
export function mayBeReceipt({ input, parent }: PlacedValue): boolean {
  return parent === undefined && typeof input !== 'object'
}

/** Returns the row to which the arguments refer by an index. */
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

/** Returns the rows to which a value, or each value of an array, refers in the same way as arguments. */
export function namedIn(schema: Schema, value: unknown, context: NormalizeContext): readonly Ref[] {
  const refs: Ref[] = []
  for (const item of Array.isArray(value) ? value : [value]) {
    const placed: PlacedValue = { input: item, parent: undefined, field: undefined }
    const ref = named(schema, placed, context, (entity) => argsPk(entity, item, context))
    if (ref !== undefined) refs.push(ref)
  }
  return refs
}

/** Returns the row to which a value refers by the primary key that `pkOf` reads from it. */
function named(
  schema: Schema,
  { input, parent, field }: PlacedValue,
  context: NormalizeContext,
  pkOf: (entity: EntityInterface) => string | undefined,
): Ref | undefined {
  if (isEmpty(input) || typeof input === 'boolean') return undefined
  if (isEntity(schema)) return pkOf(schema)
  if (!isUnion(schema)) return undefined
  const ownKind = schema.kindOf(input, parent, field)
  for (const kind of Object.keys(schema.kinds)) {
    const entity = schema.entityOf(kind)
    if (entity === undefined || (ownKind !== undefined && ownKind !== kind)) continue
    const id = pkOf(entity)
    if (id !== undefined && (ownKind === kind || context.current(entity.key, id) !== undefined))
      return { id, schema: kind }
  }
  return undefined
}

/**
 * Reads the primary key from a response, after `process`, or before it, since the response to a deletion may have fewer
 * fields than `process` expects.
 */
function responsePk(
  entity: EntityInterface,
  { input, parent, field }: PlacedValue,
  context: NormalizeContext,
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

/** Reads the primary key from arguments. They may lack fields that `pk` needs: if `pk` throws, they refer to no row. */
export function argsPk(entity: EntityInterface, value: unknown, context: NormalizeContext): string | undefined {
  try {
    return context.pkOf(entity, value, undefined, undefined)
  } catch {
    return undefined
  }
}

/** Returns the own member of a value, or the field of a FormData. */
export function memberOf(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined
  if (typeof FormData !== 'undefined' && holder instanceof FormData) return holder.get(name) ?? undefined
  // Any object may be read by name.
  return Object.hasOwn(holder, name) ? (holder as RowRecord)[name] : undefined
}
