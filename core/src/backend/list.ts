import type { AnyCollection } from '../collections/collection.js'
import { NUMBERS, OFFSETS } from '../collections/page.js'
import type { UrlTexts } from '../path/read.js'
import { type EntityInterface, isEntity, type RowRecord, type Schema } from '../schema/schema.js'
import { equal } from '../util/equal.js'
import { isPlain } from '../util/plain.js'
import { Refusal } from './refusal.js'
import { entitiesOf, type RowPlace } from './row-place.js'
import { type KeptRow, NestedRow, type Tables } from './tables.js'

/** One response of a list. */
export interface ServedPage {
  /** The rows that are sent. */
  readonly rows: readonly KeptRow[]
  /** How many rows the list has on all of its pages. */
  readonly total: number
  /** The number, offset or key that asks for the next page; undefined on the last one. */
  readonly next: number | string | undefined
  /** How many rows a page has; undefined for a list without pages. */
  readonly size: number | undefined
  /** The search param that selects a page. */
  readonly field: string | undefined
}

/** The parts of a request for a list. */
export interface ListRequest {
  readonly place: RowPlace
  readonly params: UrlTexts
  readonly paginationField: string | undefined
  readonly pageSize: number
}

/** Search params that say how many rows a page has. */
const SIZES = /^_?(?:limit|size|per_?page|page_?size|take)$/i

/**
 * Finds the rows of a list: those whose fields are equal to the params, or that `belongs` lets in, sorted by `compare`.
 *
 * @throws Refusal for a param that no row has a field for and no function reads, and for a page that cannot be.
 */
export function readList(tables: Tables, { place, params, paginationField, pageSize }: ListRequest): ServedPage {
  const entities = entitiesOf(place.member)
  const all = tables.rows(entities)
  const isField = (name: string): boolean => hasField(entities, all, name)
  const pages = Object.keys(params).filter((name) => !isField(name) && (NUMBERS.has(name) || OFFSETS.has(name)))
  const field = paginationField ?? pages[0]
  const sizeName = Object.keys(params).find((name) => SIZES.test(name) && !isField(name))
  const filters = Object.fromEntries(
    Object.entries(params).filter(([name]) => name !== field && name !== sizeName && !pages.includes(name)),
  )
  const rows = sorted(place.list, filtered(place, filters, all), filters)
  const size = sizeName === undefined ? (field === undefined ? undefined : pageSize) : Number(params[sizeName])
  if (size === undefined) return { rows, total: rows.length, next: undefined, size, field }
  if (!(size > 0)) throw new Refusal(400, `'${sizeName}' must be a number above 0, found '${params[`${sizeName}`]}'.`)
  const start = field === undefined || params[field] === undefined ? 0 : startOf(rows, field, `${params[field]}`, size)
  const page = rows.slice(start, start + size)
  const hasMore = start + size < rows.length
  return { rows: page, total: rows.length, next: hasMore ? nextOf(page, field, start, size) : undefined, size, field }
}

/** True if a class declares a field or a row has it. */
export function hasField(entities: readonly EntityInterface[], rows: readonly KeptRow[], name: string): boolean {
  return entities.some(({ defaults }) => name in defaults) || rows.some(({ fields }) => Object.hasOwn(fields, name))
}

/** True if a text of a URL is the value of a field. */
export function isText(text: unknown, value: unknown): boolean {
  if (Array.isArray(text)) return Array.isArray(value) && equal(text, value.map(String))
  return value !== undefined && `${value}` === text
}

// --- filters

function filtered({ list, member }: RowPlace, filters: UrlTexts, all: readonly KeptRow[]): readonly KeptRow[] {
  const entities = entitiesOf(member)
  const params: UrlTexts = list ? (list.argsKey(filters) as UrlTexts) : filters
  const names = new Set<string>()
  const args = noting(params, names)
  // `expand[]=owner` is a value of `expand`.
  const isFilter = (name: string): boolean => list === undefined || list.isFilter(name.replace(/\[.*/s, ''))
  const isEqual = (row: KeptRow): boolean =>
    Object.entries(params).every(([name, text]) => !isFilter(name) || isText(text, row.fields[name]))
  const hasOwnFilter = list !== undefined && !list.hasDefaultFilter
  const ownFilter = hasOwnFilter ? list.createCollectionFilter(noting(filters, names)) : undefined
  const rows = all.filter((row) => {
    const belongs = list?.belongs?.(recordOf(row), args)
    if (typeof belongs === 'boolean') return belongs
    return ownFilter ? ownFilter(args, recordOf(row)) : isEqual(row)
  })
  // A function may return false before it reads a param. If it accepted a row, it has read all that it needs; if it read a
  // param that the request does not have, the unread one may be a misspelling of it.
  const isTold = list?.belongs || ownFilter
  const isKnown = isTold
    ? rows.length > 0 || [...names].some((name) => !Object.hasOwn(params, name))
    : all.length > 0 || entities.some(({ defaults }) => Object.keys(defaults).length > 0)
  const unknown = Object.keys(params).find(
    (name) => isFilter(name) && !names.has(name) && !hasField(entities, all, name),
  )
  if (!isKnown || unknown === undefined) return rows
  const kinds = entities.map(({ key }) => key).join(' or ')
  const unread = isTold ? ', and the function that filters the list does not read it' : ''
  const remedy = list ? ", or add it to the Collection's nonFilterArgumentKeys" : ''
  const hint = process.env.NODE_ENV === 'production' ? '' : ` Seed the field${remedy}.`
  throw new Refusal(501, `The list cannot be filtered by '${unknown}': no ${kinds} has that field${unread}.${hint}`)
}

/** Wraps params so that `names` collects each name that a function reads, including missing ones. */
function noting(params: UrlTexts, names: Set<string>): UrlTexts {
  return new Proxy(params, {
    get(target, name) {
      names.add(String(name))
      return Reflect.get(target, name)
    },
    ownKeys(target) {
      for (const name of Object.keys(target)) names.add(name)
      return Reflect.ownKeys(target)
    },
  })
}

function sorted(list: AnyCollection | undefined, rows: readonly KeptRow[], filters: UrlTexts): readonly KeptRow[] {
  const { compare } = list ?? {}
  const args = list?.argsKey(filters) as UrlTexts
  return compare ? [...rows].sort((a, b) => compare(recordOf(a), recordOf(b), args)) : rows
}

/** A row as the functions of a Collection see it: after `process`, with primary keys in the place of rows. */
function recordOf({ entity, fields }: KeptRow): RowRecord {
  const keys = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withKeys(value)]))
  const processed = entity.process(keys, undefined, undefined, [{}])
  // If `process` returns nothing, filters see the row as it was sent.
  const record = isPlain(processed) ? (processed as RowRecord) : keys
  const relations = Object.entries(entity.schema).filter(([name, schema]) => isRelation(schema) && record[name] != null)
  return { ...record, ...Object.fromEntries(relations.map(([name]) => [name, textOf(record[name])])) }
}

function withKeys(value: unknown): unknown {
  if (value instanceof NestedRow) return value.pk
  return Array.isArray(value) ? value.map(withKeys) : value
}

function isRelation(schema: Schema): boolean {
  return isEntity(schema)
}

function textOf(value: unknown): unknown {
  return typeof value === 'number' ? `${value}` : value
}

// --- pages

/**
 * The index of a page's first row. A field that holds neither a page number nor an offset holds the key of the previous row.
 */
function startOf(rows: readonly KeptRow[], field: string, text: string, size: number): number {
  const isNumber = NUMBERS.has(field)
  if (isNumber || OFFSETS.has(field)) {
    const number = Number(text)
    const least = isNumber ? 1 : 0
    if (Number.isInteger(number) && number >= least) return isNumber ? (number - 1) * size : number
    throw new Refusal(400, `'${field}' must be a whole number from ${least} on, found '${text}'.`)
  }
  const before = rows.findIndex(({ pk }) => pk === text)
  if (before < 0 && text !== '')
    throw new Refusal(400, `'${field}' must be the key of a row of the list, found '${text}'.`)
  return before + 1
}

function nextOf(
  page: readonly KeptRow[],
  field: string | undefined,
  start: number,
  size: number,
): number | string | undefined {
  if (field === undefined || OFFSETS.has(field)) return start + size
  return NUMBERS.has(field) ? Math.floor(start / size) + 2 : page.at(-1)?.pk
}
