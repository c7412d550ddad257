import { answerOf } from './answers.js'
import { DescriptionError } from './description-error.js'
import type { Operation, Schema } from './ir.js'
import { type Names, wordsOf } from './names.js'
import { lastParam, plainPath } from './paths.js'
import type { Report } from './report.js'
import type { Field, Schemas } from './schemas.js'

/** A component that is a row, since it has a primary key. */
export interface Row {
  readonly component: string
  readonly schema: Schema
  readonly fields: ReadonlyMap<string, Field>
  /** The name of its type in `types.gen.ts`. */
  readonly type: string
  /** The name of its class. */
  readonly className: string
  /** The field with the primary key. */
  readonly pk: string
  readonly kind: Kind
}

/** The rows of one table: classes with one `key`. */
export interface Kind {
  key: string
  readonly rows: Row[]
  /** Fields by which paths name rows, besides the primary key. */
  readonly indexes: Set<string>
}

/** The options that determine rows. */
export interface KindOptions {
  /** The primary key fields of components. */
  readonly pk?: Readonly<Record<string, string>> | undefined
  /** Components that are one kind, by the kind's name. */
  readonly same?: Readonly<Record<string, readonly string[]>> | undefined
}

interface Context {
  readonly operations: readonly Operation[]
  readonly schemas: Schemas
  readonly options: KindOptions
  readonly report: Report
  readonly names: Names
  /** Returns the name of a component's type. */
  typeOf(component: string): string | undefined
}

/**
 * Finds the components that are rows, and joins those of one kind.
 *
 * @example
 * ```ts
 * findRows(context).get('pet')?.kind.key // 'Pet'
 * ```
 * @throws DescriptionError for an option that names no component, or a field that it does not have
 */
export function findRows(context: Context): ReadonlyMap<string, Row> {
  const { schemas, options, names, typeOf } = context
  checkOptions(context)
  const rows = new Map<string, Row>()
  for (const component of answeredComponents(context)) {
    const schema = schemas.component(component)
    const type = typeOf(component)
    const pk = schema && primaryKey(component, schema, context)
    if (!schema || pk === undefined || type === undefined) continue
    const kind: Kind = { key: type, rows: [], indexes: new Set() }
    const className = names.unique(type, 'Row')
    const row: Row = { component, schema, fields: schemas.fields(schema), type, className, pk, kind }
    kind.rows.push(row)
    rows.set(component, row)
  }
  join(rows, context)
  nameKinds(rows, options)
  return rows
}

// --- rows

/** Returns the components that responses contain at any depth, in the order of the description. */
function answeredComponents({ operations, schemas }: Context): readonly string[] {
  const met = new Set<string>()
  const seen = new Set<Schema>()
  for (const operation of operations) {
    const answer = answerOf(operation)
    if (answer?.content === 'json') visit(answer.schema)
  }
  return schemas.names.filter((name) => met.has(name))

  function visit(schema: Schema): void {
    if (seen.has(schema)) return
    seen.add(schema)
    const name = schemas.nameOf(schema)
    if (name !== undefined) met.add(name)
    const resolved = schemas.resolve(schema)
    if (resolved !== schema) visit(resolved)
    for (const item of schema.items ?? []) visit(item)
    for (const property of Object.values(schema.properties ?? {})) visit(property)
    if (schema.additionalProperties) visit(schema.additionalProperties)
  }
}

function primaryKey(component: string, schema: Schema, context: Context): string | undefined {
  const { schemas, options, operations } = context
  const fields = schemas.fields(schema)
  if (fields.size === 0) return undefined
  const isKey = (name: string): boolean => {
    const field = fields.get(name)
    return field !== undefined && schemas.scalarType(field.schema) !== undefined
  }
  const chosen = options.pk?.[component] ?? schema['x-primary-key']
  if (typeof chosen === 'string') {
    if (isKey(chosen)) return chosen
    context.report.note(
      ['components', 'schemas', component],
      `has no field '${chosen}' with a text or a number, which is to be its primary key`,
    )
  }
  if (isKey('id')) return 'id'
  for (const operation of operations) {
    const param = lastParam(operation.path)
    const answer = answerOf(operation)
    if (param && answer && schemas.nameOf(answer.schema) === component && isKey(param.name)) return param.name
  }
  return undefined
}

function checkOptions({ options, schemas }: Context): void {
  const components = new Set(schemas.names)
  const mistakes = [
    ...Object.keys(options.pk ?? {}).map((name) => ['pk', name] as const),
    ...Object.values(options.same ?? {}).flatMap((names) => names.map((name) => ['same', name] as const)),
  ].filter(([, name]) => !components.has(name))
  if (mistakes.length === 0) return
  throw new DescriptionError(
    mistakes.map(([option, name]) => ({
      at: `option ${option}`,
      message: `there is no schema '${name}' in the description`,
    })),
  )
}

// --- kinds

/** Joins the rows in the responses of one path, and those of a list and its items. */
function join(rows: ReadonlyMap<string, Row>, context: Context): void {
  const { operations, schemas, options } = context
  for (const names of Object.values(options.same ?? {})) {
    const [first, ...others] = names.flatMap((name) => rows.get(name) ?? [])
    for (const other of others) if (first) unite(first, other)
  }
  const items = new Map<string, Row[]>()
  for (const operation of operations) {
    const answer = /^(?:get|put|patch|post)$/.test(operation.method) ? answerOf(operation) : undefined
    const found = answer && rowsOf(answer.schema, rows, schemas)
    // A list belongs to its path, and an item also to the path before its last param, like the rows posted to a list.
    if (!found) continue
    const path = plainPath(operation.path)
    const param = found.isList ? undefined : lastParam(path)
    for (const place of param ? [path, param.before] : [path])
      items.set(place, [...(items.get(place) ?? []), found.row])
  }
  for (const [first, ...others] of items.values()) {
    for (const other of others) if (first && isAlike(first, other, schemas)) unite(first, other)
  }
  for (const row of rows.values()) for (const { schema } of row.fields.values()) joinAlternatives(schema, rows, schemas)
  for (const operation of operations) {
    const answer = answerOf(operation)
    if (answer) joinAlternatives(answer.schema, rows, schemas)
  }
}

/** Returns the row of a response, or of the list that it is or contains. */
function rowsOf(
  schema: Schema,
  rows: ReadonlyMap<string, Row>,
  schemas: Schemas,
): { row: Row; isList: boolean } | undefined {
  const direct = only(schema, rows, schemas)
  if (direct) return { row: direct, isList: false }
  const resolved = schemas.resolve(schema)
  const lists = [resolved, ...[...schemas.fields(resolved).values()].map((field) => schemas.resolve(field.schema))]
  const members = lists.flatMap((list) => {
    const member = schemas.member(list)
    return member ? (only(member, rows, schemas) ?? []) : []
  })
  const [row] = members
  return row && members.length === 1 ? { row, isList: true } : undefined
}

/** Returns the only row among a schema's alternatives, besides texts and null. */
function only(schema: Schema, rows: ReadonlyMap<string, Row>, schemas: Schemas): Row | undefined {
  const { members } = schemas.alternatives(schema)
  const [found, ...others] = members.flatMap((member) => rows.get(schemas.nameOf(member) ?? '') ?? [])
  return others.length === 0 ? found : undefined
}

/** True if two rows have the same key and half of their fields in common. Other similar rows stay separate. */
function isAlike(a: Row, b: Row, schemas: Schemas): boolean {
  if (a.pk !== b.pk) return false
  const [first, second] = [a, b].map(({ fields, pk }) => schemas.scalarType(fields.get(pk)?.schema ?? {}))
  // The key itself does not count.
  const shared = [...a.fields.keys()].filter((name) => name !== a.pk && b.fields.has(name)).length
  return first === second && shared * 2 >= Math.min(a.fields.size, b.fields.size) - 1
}

/** Joins alternatives with the same constants, such as a customer and a deleted one, which no field distinguishes. */
function joinAlternatives(schema: Schema, rows: ReadonlyMap<string, Row>, schemas: Schemas): void {
  const { members: all } = schemas.alternatives(schemas.member(schema) ?? schema)
  const members = all.flatMap((member) => rows.get(schemas.nameOf(member) ?? '') ?? [])
  for (const [i, one] of members.entries()) {
    for (const other of members.slice(i + 1)) {
      if (one.pk === other.pk && haveOneTag(one, other, schemas)) unite(one, other)
    }
  }
}

function haveOneTag(one: Row, other: Row, schemas: Schemas): boolean {
  const shared = [...one.fields].flatMap(([name, { schema }]) => {
    const [tag, ...more] = schemas.constants(schema)
    const [same, ...others] = schemas.constants(other.fields.get(name)?.schema ?? {})
    return tag !== undefined && same !== undefined && more.length === 0 && others.length === 0 ? [tag === same] : []
  })
  return shared.length > 0 && shared.every((isSame) => isSame)
}

function unite({ kind }: Row, { kind: other }: Row): void {
  if (kind === other) return
  kind.rows.push(...other.rows)
  // Only this function changes the kind of a row.
  for (const row of other.rows) (row as { kind: Kind }).kind = kind
}

/** Names kinds by the option `same`, or else by the shortest name of their rows. */
function nameKinds(rows: ReadonlyMap<string, Row>, { same = {} }: KindOptions): void {
  for (const { kind } of rows.values()) {
    const option = Object.entries(same).find(([, names]) =>
      kind.rows.some(({ component }) => names.includes(component)),
    )
    const names = kind.rows.map(({ type }) => type).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    kind.key = option?.[0] ?? names[0] ?? kind.key
  }
}

// --- params

/**
 * Returns true if a param of a path is the primary key of a row: `user_id` for `id`, and `customer` for the `id` of a
 * customer.
 *
 * @example
 * ```ts
 * namesRow({ name: 'user_id', schema: { type: 'integer' } }, user, schemas) // true
 * ```
 */
export function namesRow(
  param: { readonly name: string; readonly schema: Schema },
  row: Row,
  schemas: Schemas,
): boolean {
  const { name } = param
  if (name === row.pk) return true
  if (row.fields.has(name)) return false
  const type = schemas.scalarType(row.fields.get(row.pk)?.schema ?? {})
  const own = schemas.scalarType(param.schema)
  if (type !== undefined && own !== undefined && type !== own) return false
  const words = wordsOf(name).join(' ')
  if (` ${words}`.endsWith(` ${wordsOf(row.pk).join(' ')}`)) return true
  const kinds = row.kind.rows.map(({ type: text }) => ` ${wordsOf(text).join(' ')}`)
  return row.pk === 'id' && kinds.some((kind) => kind.endsWith(` ${words}`))
}
