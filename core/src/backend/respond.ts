import { EVENT_ID_HEADER } from '../live/options.js'
import type { UrlTexts } from '../path/read.js'
import { isSchemaObject, type Schema } from '../schema/schema.js'
import { isText, readList, type ServedPage } from './list.js'
import type { BackendOptions, ServedEndpoint } from './options.js'
import { Refusal } from './refusal.js'
import type { Route } from './routes.js'
import { entitiesOf, type RowPlace } from './row-place.js'
import { type KeptRow, keyFields, pkOf, type Tables } from './tables.js'
import { changeRow, createRow } from './write.js'

/** A request as its route sees it. */
export interface RoutedRequest {
  readonly route: Route
  readonly params: UrlTexts
  readonly body: unknown
  readonly headers: Headers
}

/**
 * Executes a request synchronously and returns the response.
 *
 * @throws Refusal if the request cannot be served
 */
export function respond(tables: Tables, request: RoutedRequest, options: BackendOptions): Response {
  const { route, headers } = request
  const { action, place, endpoint, reason } = route
  if (!action || !place)
    throw new Refusal(501, `The backend cannot serve ${endpoint.name} (${route.method} ${endpoint.path})${reason}.`)
  const send = (value: unknown, page?: ServedPage): string => {
    const body = enveloped(endpoint, place.path, value, page)
    const about = { endpoint: endpoint.name, method: route.method, total: page?.total, next: page?.next }
    return JSON.stringify(options.send ? options.send(body, about) : body)
  }
  const tagOf = (text: string): string | undefined => (options.etag === false ? undefined : `"${hash(text)}"`)
  const respondWith = (status: number, text: string, etag = tagOf(text)): Response => {
    const known = headers.get('if-none-match')
    const isKnown = status === 200 && route.method === 'GET' && etag !== undefined && names(known, etag)
    return new Response(isKnown ? null : text, {
      status: isKnown ? 304 : status,
      headers: { 'content-type': 'application/json', [EVENT_ID_HEADER]: tables.lastChange, ...(etag && { etag }) },
    })
  }
  const isForm = /form/.test(headers.get('content-type') ?? '')
  // A row has one tag, whatever an endpoint sends around it.
  const rowTag = (row: KeptRow): string | undefined => tagOf(JSON.stringify(tables.sent(row)))
  const respondWithRow = (status: number, row: KeptRow): Response =>
    respondWith(status, send(tables.sent(row)), rowTag(row))

  if (action === 'list') {
    const { paginationField } = endpoint
    const page = readList(tables, { place, params: request.params, paginationField, pageSize: options.pageSize ?? 20 })
    return respondWith(200, send(shaped(place, page.rows, tables), page))
  }
  if (action === 'create') {
    const { isMany, bodies } = bodiesOf(place, request.body)
    const { params } = request
    const rows = tables.atomic(() => bodies.map((body) => createRow(tables, place, { body, isForm, params })))
    const [row] = rows
    return row && !isMany ? respondWithRow(201, row) : respondWith(201, send(shaped(place, rows, tables)))
  }
  const row = findRow(tables, request, place)
  const ifMatch = headers.get('if-match')
  const etag = rowTag(row)
  if (action !== 'read' && ifMatch && etag && !names(ifMatch, etag)) {
    throw new Refusal(412, `${row.entity.key} ${row.pk} has changed: If-Match names an older one.`, { etag })
  }
  if (action === 'delete') {
    tables.remove(row)
    return new Response(null, { status: 204, headers: { [EVENT_ID_HEADER]: tables.lastChange } })
  }
  const { body } = request
  return respondWithRow(
    200,
    action === 'read' ? row : changeRow(tables, row, { body, isForm, replaces: action === 'replace' }),
  )
}

/** True if a list of entity tags has this one. */
function names(list: string | null, etag: string): boolean {
  return list?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) === true
}

/** FNV-1a, 32 bits: short, and another one for each text of a test. */
function hash(text: string): string {
  let sum = 0x811c9dc5
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
  return (sum >>> 0).toString(36)
}

// --- rows

/** Finds the row whose fields equal the path's params. The last param may be its key under another name. */
function findRow(tables: Tables, { route, params, body }: RoutedRequest, { member }: RowPlace): KeptRow {
  const entities = entitiesOf(member)
  const rows = tables.rows(entities)
  if (route.action === 'changeMember') {
    const pk =
      typeof body === 'object' && body !== null ? entities.map((entity) => pkOf(entity, body)).find(Boolean) : `${body}`
    const row = rows.find((one) => one.pk === pk)
    if (row) return row
    throw new Refusal(404, `There is no ${kindsOf(member)} ${pk}.`)
  }
  const given = [...route.template.names].filter((name) => params[name] !== undefined)
  const last = given.at(-1)
  const row = rows.find(({ pk, fields, entity }) =>
    given.every((name) => {
      const isKey = name === last && (keyFields(entity).join() === name || !Object.hasOwn(fields, name))
      return isKey ? pk === params[name] : isText(params[name], fields[name])
    }),
  )
  if (row) return row
  throw new Refusal(404, `There is no ${kindsOf(member)} ${given.map((name) => `${params[name]}`).join('/')}.`)
}

function kindsOf(member: RowPlace['member']): string {
  return entitiesOf(member)
    .map(({ key }) => key)
    .join(' or ')
}

/** One body for each new row. */
function bodiesOf({ list }: RowPlace, body: unknown): { isMany: boolean; bodies: readonly unknown[] } {
  if (Array.isArray(body)) return { isMany: true, bodies: body }
  const values = typeof body === 'object' && body !== null ? Object.values(body) : []
  const isMap = list?.isMap === true && values.length > 0 && values.every((value) => typeof value === 'object')
  return { isMany: isMap, bodies: isMap ? values : [body] }
}

// --- bodies

function shaped({ shape, list }: RowPlace, rows: readonly KeptRow[], tables: Tables): unknown {
  const sent = rows.map((row) => tables.sent(row))
  const isMap = shape === 'map' || list?.isMap
  return isMap ? Object.fromEntries(rows.map(({ pk }, i) => [pk, sent[i]])) : sent
}

/** Wraps a value in the fields of its path. Fields beside a list get facts about its pages, according to their names. */
function enveloped(
  { schema, pageFields = [] }: Pick<ServedEndpoint, 'schema' | 'pageFields'>,
  path: readonly string[],
  value: unknown,
  page?: ServedPage,
): unknown {
  const [field, ...deeper] = path
  if (field === undefined) return value
  const inner = isSchemaObject(schema) ? schema.parts?.()[0] : schema
  if (isSchemaObject(inner)) return enveloped({ schema: inner, pageFields }, path, value, page)
  const told = page && Object.fromEntries(pageFields.map((name) => [name, null]))
  // A path leads through records.
  const record: { readonly [name: string]: Schema } = { ...told, ...(inner as object) }
  return Object.fromEntries(
    Object.entries(record).map(([name, part]) => [
      name,
      name === field ? enveloped({ schema: part }, deeper, value, page) : besides(name, part, page),
    ]),
  )
}

/** The value of a field beside a list. A field whose name does not concern pages keeps the schema's value. */
function besides(name: string, literal: Schema, page: ServedPage | undefined): unknown {
  if (typeof literal === 'object' && literal !== null && !isSchemaObject(literal)) {
    return Object.fromEntries(
      Object.entries(literal).map(([inner, part]) => [inner, besides(inner, part as Schema, page)]),
    )
  }
  if (!page || typeof literal === 'function' || isSchemaObject(literal)) return literal
  const { total, size, next } = page
  if (/^(?:total|count|total_?(?:count|items|results))$/i.test(name)) return total
  if (/^(?:page_?count|pages|total_?pages)$/i.test(name)) return size ? Math.ceil(total / size) : 1
  if (/^has_?(?:more|next)/i.test(name)) return next !== undefined
  if (name !== page.field && !/^(?:next|(?:end_?)?cursor)/i.test(name)) return literal
  return typeof literal === 'string' ? `${next ?? ''}` : (next ?? null)
}
