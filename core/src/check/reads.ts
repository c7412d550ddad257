import { entitiesOf, entityOf, type RowPlace } from '../backend/row-place.js'
import { keyFields, pkOf } from '../backend/tables.js'
import { NUMBERS, OFFSETS } from '../collections/page.js'
import { template } from '../path/template.js'
import type { LastPage } from '../rest/options.js'
import { equal } from '../util/equal.js'
import { isMissing } from '../util/thrown.js'
import { type Exchange, isObject, rowsIn, type Send } from './client.js'
import { fails, type Report, skips, warns } from './finding.js'
import type { CheckedEndpoint, CheckedResource, CheckOptions } from './options.js'

/** A row as it came. */
export type Row = Readonly<Record<string, unknown>>

/** The context that all rules share. */
export interface Checking {
  readonly resource: CheckedResource
  readonly options: CheckOptions
  readonly place: RowPlace
  readonly send: Send
  readonly report: Report
}

/** Facts about the list that the writes need. */
export interface ReadList {
  readonly isPaged: boolean
}

/**
 * Checks the rules that need only reads.
 *
 * @returns what writes need to know of the list; undefined if it cannot be read
 */
export async function checkReads(checking: Checking): Promise<ReadList | undefined> {
  const { resource, report, place } = checking
  const { getList, get } = resource
  let rows: readonly Row[] = []
  let isPaged = false
  let list: Exchange | undefined
  if (getList) {
    isPaged = getList.paginationField !== undefined
    const isThere = await report.check('list-place', async () => {
      list = await read(checking, getList, {})
      rows = listed(getList, list)
    })
    if (list) await report.check('list-json', () => checkJson(list as Exchange))
    if (!isThere) return undefined
    const { place: at } = list as unknown as Exchange
    await report.check('list-keys', () => checkKeys(place, rows, at))
    await report.check('list-keys-unique', () => checkUnique(place, rows, at))
    await report.check('list-types', () => checkTypes(place, rows, at))
    const isFiltered = await report.check('list-filters', () => checkFilters(checking, getList, rows, isPaged))
    if (isFiltered) await report.check('list-empty', () => checkEmpty(checking, getList, rows))
    await checkPages(checking, getList)
  }
  const [first] = rows
  if (get && first) {
    await report.check('item-as-listed', async () => {
      const item = succeeded(await sendTo(checking, get, first))
      agree(first, oneRow(get, item), item.place, 'the list', report.isKept('list-types') ? equal : isSame)
    })
    await checkMissing(checking, get, rows)
    await report.check('etag-304', async () => checkUnmodified(checking, get, first))
  }
  return { isPaged }
}

// --- requests

/** Sends a read that must succeed. */
export async function read({ send, options }: Checking, endpoint: CheckedEndpoint, params: object): Promise<Exchange> {
  return succeeded(await send(endpoint, { ...options.params, ...params }))
}

/** An exchange that has succeeded. */
export function succeeded(exchange: Exchange): Exchange {
  const { place, error, status, text, redirectedTo } = exchange
  if (error === undefined) return exchange
  const html = /^\s*<(?:!doctype|html)\b/i.test(text) ? ', with HTML' : ''
  const where = redirectedTo === undefined ? '' : `, redirected to ${redirectedTo}`
  if (status >= 400) return fails(`${statusOf(exchange)}${html}${where}.`)
  const { message } = error as Error
  return fails(`${place} (${status}${html}${where}): ${message.replace(/ See node_modules.*$/, '')}`)
}

/** The rows of a list where its schema says. */
export function listed(endpoint: CheckedEndpoint, { value, place, text }: Exchange): readonly Row[] {
  const rows = rowsIn(endpoint, value)
  if (rows === undefined) fails(`${place}: the schema has a list there, found ${shown(text)}.`)
  const odd = rows.findIndex((row) => !isObject(row))
  if (odd >= 0) fails(`${place}: row ${odd} of the list is ${JSON.stringify(rows[odd])}.`)
  return rows as readonly Row[]
}

/** The one row of a response. */
export function oneRow(endpoint: CheckedEndpoint, { value, place, text }: Exchange): Row {
  const [row] = rowsIn(endpoint, value) ?? []
  return isObject(row) ? row : fails(`${place}: the schema has a row there, found ${shown(text) || 'nothing'}.`)
}

/** The primary key of a row. */
export function keyOf({ member }: RowPlace, row: Row): string | undefined {
  const entity = entityOf(member, row)
  return entity && pkOf(entity, row)
}

/** Sends a request to the path of a row. */
export function sendTo(
  checking: Checking,
  endpoint: CheckedEndpoint,
  row: Row,
  body?: object,
  headers?: Readonly<Record<string, string>>,
): Promise<Exchange> {
  return checking.send(endpoint, { ...checking.options.params, ...itemParams(checking, endpoint, row) }, body, headers)
}

/** `GET https://api.test/todos/1 responded with 200`. */
export function statusOf({ place, status }: Exchange): string {
  return `${place} responded with ${status}`
}

/** True for the statuses of a request that the server does not accept. */
function isRefused({ status }: Exchange): boolean {
  return status === 400 || status === 422
}

/** A value as the detail of a result shows it. */
export function shown(value: unknown): string {
  return (typeof value === 'string' ? value : `${JSON.stringify(value)}`).slice(0, 80)
}

/** The params of the path of a row. */
function itemParams({ options, place }: Checking, { path }: CheckedEndpoint, row: Row): object {
  const names = [...template(path).names]
  const last = names.at(-1)
  const given = names.map((name) => {
    const own = options.params?.[name] ?? row[name]
    return [name, name === last ? (row[name] ?? keyOf(place, row)) : own] as const
  })
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

// --- rules of lists

const EMPTY = 'The list is empty.'

function checkJson({ place, isJson, headers, redirectedTo }: Exchange): void {
  if (!isJson) fails(`${place}: the content-type is ${headers.get('content-type') ?? 'missing'}, not JSON.`)
  if (redirectedTo !== undefined) warns(`${place} was redirected to ${redirectedTo}: name that address in urlPrefix.`)
}

function checkKeys(place: RowPlace, rows: readonly Row[], at: string): void {
  const without = rows.findIndex((row) => keyOf(place, row) === undefined)
  if (without >= 0) fails(`${at}: row ${without} has no primary key: ${shown(rows[without])}.`)
  if (rows.length === 0) skips(EMPTY)
}

function checkUnique(place: RowPlace, rows: readonly Row[], at: string): void {
  const seen = new Map<string, number>()
  for (const [i, row] of rows.entries()) {
    const key = `${entityOf(place.member, row)?.key} ${keyOf(place, row)}`
    const before = seen.get(key)
    if (before !== undefined) fails(`${at}: rows ${before} and ${i} are both ${key}.`)
    seen.set(key, i)
  }
  if (rows.length === 0) skips(EMPTY)
}

function checkTypes(place: RowPlace, rows: readonly Row[], at: string): void {
  for (const [i, row] of rows.entries()) {
    const entity = entityOf(place.member, row)
    if (!entity) fails(`${at}: row ${i} is of a kind that the union does not know: ${shown(row)}.`)
    const fault = entity.judge?.(row, row, undefined)
    if (fault) fails(`${at}: ${entity.key} at $[${i}]${fault.path} is not valid: ${fault.message}.`)
    for (const [name, expected] of Object.entries(entity.defaults)) {
      const value = row[name]
      const isOpen = expected === null || expected === undefined || value === null || value === undefined
      if (isOpen || Object.hasOwn(entity.schema, name) || typeof value === typeof expected) continue
      fails(
        `${at}: $[${i}].${name} is the ${typeof value} ${JSON.stringify(value)}, ${entity.key} has a ${typeof expected}.`,
      )
    }
  }
  if (rows.length === 0) skips(EMPTY)
}

async function checkFilters(
  checking: Checking,
  getList: CheckedEndpoint,
  rows: readonly Row[],
  isPaged: boolean,
): Promise<void> {
  const filters = filtersOf(checking, rows)
  if (filters.length === 0) skips('No filters are named.')
  for (const [name, value] of filters) {
    if (value === undefined) continue
    const exchange = await read(checking, getList, { [name]: value })
    const found = listed(getList, exchange)
    const other = found.find((row) => !isSame(row[name], value))
    if (other) {
      const key = keyOf(checking.place, other)
      fails(`${exchange.place} has row ${key} with ${name} ${JSON.stringify(other[name])}: the filter is no equality.`)
    }
    const keys = new Set(found.map((row) => keyOf(checking.place, row)))
    const missing =
      isPaged || !checking.report.isKept('list-keys')
        ? undefined
        : rows.find((row) => isSame(row[name], value) && !keys.has(keyOf(checking.place, row)))
    if (missing) fails(`${exchange.place} lacks row ${keyOf(checking.place, missing)}, whose ${name} is equal.`)
  }
}

async function checkEmpty(checking: Checking, getList: CheckedEndpoint, rows: readonly Row[]): Promise<void> {
  const [name, value] =
    filtersOf(checking, rows).find(([, one]) => typeof one === 'number' || typeof one === 'string') ?? []
  if (name === undefined) skips('No filter is named by which the list can be empty.')
  const { send, options } = checking
  const none = typeof value === 'number' ? unknownNumber(rows.map((row) => row[name])) : UNKNOWN
  const exchange = await send(getList, { ...options.params, [name]: none })
  if (exchange.status === 404) fails(`${statusOf(exchange)}: a list without rows is an empty list.`)
  if (isRefused(exchange)) warns(`${statusOf(exchange)}, so an empty list was not seen.`)
  const found = listed(getList, succeeded(exchange))
  if (found.length > 0) fails(`${exchange.place} has ${found.length} rows, and none can have that ${name}.`)
}

/** The filters, each with a value that some row has. */
function filtersOf(
  { options: { filters = [] } }: Checking,
  rows: readonly Row[],
): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(filters)) return Object.entries(filters)
  return filters.map((name: string) => [
    name,
    rows.map((row) => row[name]).find((value) => value !== null && value !== undefined),
  ])
}

function isSame(field: unknown, value: unknown): boolean {
  return equal(field, value) || `${field}` === `${value}`
}

/** A value that no row has. Its name explains it to readers of the server's log. */
const UNKNOWN = 'roundtable-check-none'

function unknownNumber(values: readonly unknown[]): number {
  return Math.max(0, ...values.map(Number).filter(Number.isFinite)) + 1_000_003
}

// --- pages

/** How many pages are read. */
const MOST_PAGES = 50
/** A page number beyond the end of any list; servers may refuse larger ones. */
const FAR = 1_000_000

/** A list that may have pages. */
interface PagedEndpoint extends CheckedEndpoint {
  readonly getPage?: CheckedEndpoint
  nextPage?(last: LastPage): PageParams | null | undefined
}

type PageParams = Readonly<Record<string, string | number>>

/**
 * Reads a list page by page, until `visit` returns true, the pages end, or there are too many; a list without pages is one
 * page.
 *
 * @returns true if the pages were read to their end, or to where `visit` has stopped
 */
export async function readPages(
  checking: Checking,
  list: PagedEndpoint,
  params: object,
  visit: (rows: readonly Row[], exchange: Exchange) => boolean,
): Promise<boolean> {
  const { paginationField: field, nextPage, getPage } = list
  const cursors = new Set<string>()
  let page: PageParams = {}
  let position = field !== undefined && OFFSETS.has(field) ? 0 : 1
  for (let index = 0; index < MOST_PAGES; index++) {
    const exchange = await read(checking, (index > 0 && getPage) || list, { ...params, ...page })
    const rows = listed(list, exchange)
    if (visit(rows, exchange) || field === undefined || !getPage || !(isCounted(list) || nextPage)) return true
    position += OFFSETS.has(field) ? rows.length : 1
    const next = nextPage
      ? nextPage.call(list, { response: exchange.value, items: rows, params: { ...params, ...page }, index })
      : rows.length > 0 && { [field]: position }
    if (!next) return true
    const cursor = JSON.stringify(next)
    if (cursors.has(cursor)) fails(`${exchange.place} leads to ${cursor}, which was a page before.`)
    cursors.add(cursor)
    page = next
  }
  return false
}

function isCounted({ paginationField: field = '' }: CheckedEndpoint): boolean {
  return NUMBERS.has(field) || OFFSETS.has(field)
}

async function checkPages(checking: Checking, list: PagedEndpoint): Promise<void> {
  const { report } = checking
  const { paginationField: field, getPage, nextPage } = list
  if (field === undefined || !getPage || !(isCounted(list) || nextPage)) return
  const seen = new Map<string, string>()
  let twice: string | undefined
  await report.check('pages-end', async () => {
    const isWhole = await readPages(checking, list, {}, (rows, { place }) => {
      for (const row of rows) {
        const key = keyOf(checking.place, row) ?? ''
        if (seen.has(key)) twice ??= `${place} has row ${key}, and so has ${seen.get(key)}.`
        seen.set(key, place)
      }
      return twice !== undefined
    })
    if (!isCounted(list)) {
      if (!isWhole) warns(`After ${MOST_PAGES} pages there are more: they were not read to their end.`)
      return
    }
    const exchange = await read(checking, getPage, { [field]: FAR })
    const rows = listed(list, exchange)
    if (rows.length > 0) fails(`${exchange.place} has ${rows.length} rows: the pages do not end.`)
  })
  await report.check('pages-disjoint', () => {
    if (twice !== undefined) fails(twice)
  })
}

// --- rules of one row

/** Fails unless two versions of a row agree in every field that both have. */
export function agree(expected: Row, found: Row, place: string, other: string, same: typeof equal = equal): void {
  for (const name of Object.keys(expected)) {
    if (!(name in found) || same(expected[name], found[name])) continue
    fails(`${place} has ${name} ${JSON.stringify(found[name])}, ${other} ${JSON.stringify(expected[name])}.`)
  }
}

async function checkMissing(checking: Checking, get: CheckedEndpoint, rows: readonly Row[]): Promise<void> {
  const { report, send, options, place } = checking
  const [first] = rows as [Row]
  const last = [...template(get.path).names].at(-1) ?? ''
  const key = first[last] ?? keyOf(place, first)
  const keys = rows.map((row) => keyOf(place, row))
  const none = Number.isFinite(Number(key)) ? unknownNumber(keys) : UNKNOWN
  let exchange: Exchange | undefined
  await report.check('item-404', async () => {
    exchange = await send(get, { ...options.params, ...itemParams(checking, get, first), [last]: none })
    if (isMissing(exchange)) return
    if (isRefused(exchange)) warns(`${statusOf(exchange)}, not 404.`)
    fails(`${statusOf(exchange)} for a row that does not exist, not 404.`)
  })
  await report.check('errors-json', () => {
    if (!exchange || exchange.status < 400) skips('No error was seen.')
    const type = exchange.headers.get('content-type') ?? 'missing'
    if (exchange.text === '') warns(`${statusOf(exchange)} and no body.`)
    if (!exchange.isJson) fails(`${statusOf(exchange)}, and the content-type is ${type}, not JSON.`)
    JSON.parse(exchange.text)
  })
}

async function checkUnmodified(checking: Checking, get: CheckedEndpoint, row: Row): Promise<void> {
  const first = succeeded(await sendTo(checking, get, row))
  const etag = first.headers.get('etag')
  const modified = first.headers.get('last-modified')
  if (etag === null && modified === null) skips(`${first.place} has neither ETag nor Last-Modified.`)
  const headers: Record<string, string> =
    etag === null ? { 'if-modified-since': `${modified}` } : { 'if-none-match': etag }
  const again = await sendTo(checking, get, row, undefined, headers)
  if (again.status === 304) return
  const name = etag === null ? `If-Modified-Since ${modified}` : `If-None-Match ${etag}`
  fails(`${statusOf(again)} to its own ${name}, not 304.`)
}

/** The fields that the key of a row is made of. */
export function keyNames({ member }: RowPlace): readonly string[] {
  return entitiesOf(member).flatMap(keyFields)
}
