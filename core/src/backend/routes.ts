import { readUrl, type UrlTexts } from '../path/read.js'
import { type Template, template } from '../path/template.js'
import { methodOf } from '../rest/endpoint-info.js'
import { RestEndpoint } from '../rest/rest-endpoint.js'
import type { Schema } from '../schema/schema.js'
import { describe } from '../util/describe.js'
import { OptionError } from '../util/errors.js'
import { isPlain } from '../util/plain.js'
import type { BackendAnswer, ServedEndpoint } from './options.js'
import { type RowPlace, rowPlaces } from './row-place.js'

/** The effect of a request to a route. */
export type Action = 'list' | 'read' | 'create' | 'replace' | 'change' | 'changeMember' | 'delete'

/** One method at one path. */
export interface Route {
  readonly endpoint: ServedEndpoint
  readonly method: string
  /** The origin that it is at; undefined for that of the page. */
  readonly origin: string | undefined
  /** The text between the origin and the path. */
  readonly prefix: string
  readonly template: Template
  /** Undefined if it does not follow from the definition; `reason` says why. */
  readonly action: Action | undefined
  readonly reason: string
  /** The place of the rows in the response. Every route with an action has one. */
  readonly place: RowPlace | undefined
  readonly answer: BackendAnswer['response'] | undefined
}

/**
 * Makes the routes of all endpoints in `resources`: resources, records of endpoints, modules of them, and endpoints.
 *
 * @throws OptionError if there is none.
 */
export function routesOf(resources: unknown, answers: readonly BackendAnswer[], hasFormat: boolean): readonly Route[] {
  const endpoints = new Set<ServedEndpoint>()
  collect(resources, endpoints, 0)
  if (endpoints.size === 0) {
    const hint = process.env.NODE_ENV === 'production' ? '' : ' Pass resources or endpoints: backend({ TodoResource }).'
    throw new OptionError('resources', `of a backend have no endpoint, found ${describe(resources)}.${hint}`)
  }
  /** The place of the rows by address. A DELETE without a schema takes it from the GET of the same path. */
  const placeAt = new Map<string, RowPlace>()
  for (const { schema, address } of [...endpoints].map(addressed).reverse()) {
    const [place, ...others] = rowPlaces(schema)
    if (place && others.length === 0) placeAt.set(address, place)
  }
  const lists = new Set([...endpoints].filter(isListRead).map((endpoint) => addressed(endpoint).address))
  const served = [...endpoints].map((endpoint): Route => {
    const places = rowPlaces(endpoint.schema)
    const { address } = addressed(endpoint)
    const place = places[0] ?? placeAt.get(address)
    const isUnknown = isOwnFormat(endpoint) && !hasFormat
    const action = isUnknown || places.length > 1 ? undefined : actionOf(endpoint, place, lists.has(address))
    return { ...routeOf(endpoint), place, action, reason: reasonFor(isUnknown, places.length), answer: undefined }
  })
  const answered = answers.map(
    ({ endpoint, response: answer }): Route => ({
      ...routeOf(endpoint),
      place: undefined,
      action: undefined,
      reason: '',
      answer,
    }),
  )
  return [...answered, ...served].sort(
    (a, b) => rankOf(a) - rankOf(b) || b.endpoint.path.length - a.endpoint.path.length,
  )
}

/** For development: why a request cannot be served, and the option that says how. */
function reasonFor(hasOwnFormat: boolean, places: number): string {
  if (process.env.NODE_ENV === 'production') return ''
  if (hasOwnFormat)
    return ': it overrides process or parseResponse, so the body that its server sends is unknown. Pass the option send'
  return places > 1
    ? ': its schema has rows in several places. Pass its response in the option answers'
    : ': its definition does not say what it does. Pass its response in the option answers'
}

/** The first route for a request; without one, the methods that its path takes. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  url: URL,
  isAnyOrigin: boolean,
): { readonly route?: Route; readonly params: UrlTexts; readonly methods: readonly string[] } {
  const methods = new Set<string>()
  const text = url.pathname + url.search
  for (const route of routes) {
    if (!isAnyOrigin && route.origin !== undefined && route.origin !== url.origin) continue
    const params = text.startsWith(route.prefix) ? readUrl(route.template, text.slice(route.prefix.length)) : undefined
    if (params === undefined) continue
    if (route.method === (method === 'HEAD' ? 'GET' : method)) return { route, params, methods: [] }
    methods.add(route.method)
  }
  return { params: {}, methods: [...methods] }
}

// --- endpoints

function collect(value: unknown, found: Set<ServedEndpoint>, depth: number): void {
  if (isServed(value)) {
    // Accessors are made from an endpoint, so it is read only once.
    if (found.has(value)) return
    found.add(value)
    const [place] = rowPlaces(value.schema)
    if (!place?.list || place.change || methodOf(value) !== 'GET') return
    for (const name of ['push', 'remove', 'move'] as const)
      collect((value as unknown as RestEndpoint)[name], found, depth)
    return
  }
  const isHolder = isPlain(value) || Object.prototype.toString.call(value) === '[object Module]'
  if (isHolder && depth < 3) for (const inner of Object.values(value as object)) collect(inner, found, depth + 1)
}

function isServed(value: unknown): value is ServedEndpoint {
  // With a `url` of its own, its path tells nothing of its requests.
  return value instanceof RestEndpoint && typeof value.path === 'string' && value.url === RestEndpoint.prototype.url
}

function isOwnFormat({
  process,
  parseResponse,
}: ServedEndpoint & { process?: unknown; parseResponse?: unknown }): boolean {
  const { prototype } = RestEndpoint
  return process !== prototype.process || parseResponse !== prototype.parseResponse
}

function isListRead(endpoint: ServedEndpoint): boolean {
  const [place] = rowPlaces(endpoint.schema)
  return methodOf(endpoint) === 'GET' && place !== undefined && place.shape !== 'one'
}

function addressed({ urlPrefix, path, schema }: ServedEndpoint): { readonly schema: Schema; readonly address: string } {
  return { schema, address: urlPrefix + path.replace(/\?.*/s, '') }
}

function routeOf(endpoint: ServedEndpoint): Pick<Route, 'endpoint' | 'method' | 'origin' | 'prefix' | 'template'> {
  const [, origin, prefix = ''] = /^((?:[a-z][\w+.-]*:)?\/\/[^/?#]*)?(.*)/is.exec(endpoint.urlPrefix) ?? []
  return {
    endpoint,
    method: methodOf(endpoint),
    origin: origin === undefined ? undefined : new URL(origin, 'http://localhost').origin,
    prefix,
    template: template(endpoint.path),
  }
}

/** Fewer params first: `/todos/latest` before `/todos/:id`. */
function rankOf({ template: { names }, endpoint }: Route): number {
  return names.size + (endpoint.path.includes('*') ? 100 : 0)
}

/** Returns the action of a method at an address. A path that ends with a param identifies one row. */
function actionOf(endpoint: ServedEndpoint, place: RowPlace | undefined, isList: boolean): Action | undefined {
  if (!place) return undefined
  const isItem = /[:*](?:"[^"]*"|[^/{}:*"?]+)\}*$/.test(endpoint.path.replace(/\?.*/s, ''))
  switch (methodOf(endpoint)) {
    case 'GET':
      return place.shape === 'one' ? 'read' : 'list'
    case 'POST':
      // Some servers change a row by POST to its own path.
      return place.change || isList ? 'create' : isItem ? 'change' : undefined
    case 'PUT':
      return isItem ? 'replace' : undefined
    case 'PATCH':
      return isItem ? 'change' : place.change ? 'changeMember' : undefined
    case 'DELETE':
      return isItem ? 'delete' : undefined
    default:
      return undefined
  }
}
