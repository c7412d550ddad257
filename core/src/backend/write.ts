import type { UrlTexts } from '../path/read.js'
import type { EntityInterface, RowRecord } from '../schema/schema.js'
import { isRecord } from '../util/plain.js'
import { Refusal } from './refusal.js'
import { entityOf, type RowPlace } from './row-place.js'
import { type KeptRow, keyFields, pkOf, type Tables } from './tables.js'

/** The sources of a new row's fields. */
export interface NewRow {
  readonly body: unknown
  /** True if the values of the body are text. */
  readonly isForm: boolean
  readonly params: UrlTexts
}

/** A change to a row. */
export interface RowChange extends Pick<NewRow, 'body' | 'isForm'> {
  readonly replaces: boolean
}

/**
 * Creates a row from a body, with the params of the call, the defaults of its class and a new key.
 *
 * @throws Refusal 409 if there is a row of its key, 422 if its class does not take it, 501 if it can have no key.
 */
export function createRow(tables: Tables, { member, list }: RowPlace, { body, isForm, params }: NewRow): KeptRow {
  const fields = fieldsOf(body)
  const entity = entityOf(member, fields)
  if (!entity) throw new Refusal(422, 'The body does not tell which kind of row it is.')
  const given = isForm ? typed(tables, entity, fields) : fields
  const named = Object.entries(params).filter(([name]) => list === undefined || list.isFilter(name))
  const values = named.map(([name, text]) => [name, valueOfText(tables, entity, name, text)])
  const own = { ...Object.fromEntries(values), ...given }
  const known = pkOf(entity, own)
  const row = { ...(known === undefined && nextKey(tables, entity)), ...defaultsOf(entity), ...own }
  if (known !== undefined && tables.get(entity.key, known))
    throw new Refusal(409, `There is a ${entity.key} ${known} already.`)
  checkRow(entity, row)
  const created = tables.write(entity, row)
  if (created) return created
  throw new Refusal(501, `A new ${entity.key} has no primary key, and none can be made for it: send one.`)
}

/**
 * Changes fields of a row, or replaces all but its key.
 *
 * @throws Refusal 409 for another key, 422 if its class does not take it.
 */
export function changeRow(tables: Tables, row: KeptRow, { body, isForm, replaces }: RowChange): KeptRow {
  const { entity, pk, fields } = row
  const keys = Object.fromEntries(keyFields(entity).map((name) => [name, fields[name]]))
  const before = replaces ? { ...defaultsOf(entity), ...keys } : tables.sent(row)
  const given = isForm ? typed(tables, entity, fieldsOf(body)) : fieldsOf(body)
  const next = { ...before, ...given }
  if (pkOf(entity, next) !== pk) throw new Refusal(409, `The body has another key than ${entity.key} ${pk}.`)
  checkRow(entity, next)
  // It has a key, so it is written.
  return tables.write(entity, replaces ? next : given, { pk, replaces }) as KeptRow
}

/** The fields of a form, whose values are text, with the types that the class or other rows give them. */
function typed(tables: Tables, entity: EntityInterface, fields: RowRecord): RowRecord {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? valueOfText(tables, entity, name, value) : value,
    ]),
  )
}

function fieldsOf(body: unknown): RowRecord {
  if (isRecord(body)) return body
  throw new Refusal(400, 'The body must be an object with the fields of a row.')
}

function checkRow(entity: EntityInterface, row: RowRecord): void {
  const fault = entity.judge?.(row, row, undefined)
  if (fault) throw new Refusal(422, `${entity.key} at $${fault.path} is not valid: ${fault.message}.`)
}

/** The fields of an empty row that the server knows: neither its key, nor what has a schema of its own. */
function defaultsOf(entity: EntityInterface): RowRecord {
  const keys = keyFields(entity)
  return Object.fromEntries(
    Object.entries(entity.defaults).filter(([name]) => !keys.includes(name) && !Object.hasOwn(entity.schema, name)),
  )
}

/** The next key: a number, or text where the class or the other rows have text. */
function nextKey(tables: Tables, entity: EntityInterface): RowRecord {
  const [field, ...others] = keyFields(entity)
  if (field === undefined || others.length > 0) return {}
  return { [field]: valueOfText(tables, entity, field, `${tables.lastKey(entity.key) + 1}`, 'number') }
}

/** A text of a URL as the value of a field, of the type that the class or the first row gives it. */
function valueOfText(
  tables: Tables,
  entity: EntityInterface,
  name: string,
  text: UrlTexts[string],
  otherwise = 'string',
): unknown {
  const sample = tables.rows([entity])[0]?.fields[name] ?? entity.defaults[name]
  const type = sample === undefined || sample === null ? otherwise : typeof sample
  if (type === 'number') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}
