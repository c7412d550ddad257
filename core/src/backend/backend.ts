import { checkTime } from '../endpoint/option-table.js'
import type { Transport } from '../endpoint/options.js'
import type { UrlTexts } from '../path/read.js'
import type { EntityInterface, RowRecord } from '../schema/schema.js'
import { describe } from '../util/describe.js'
import { browserEnv } from '../util/env.js'
import { OptionError } from '../util/errors.js'
import { needFunction } from '../util/need-function.js'
import { needOptions } from '../util/need-options.js'
import { answered, bodyOf, nothingAt, otherMethods, refused, requestOf } from './http.js'
import type { BackendAnswer, BackendKind, BackendLogEntry, BackendOptions } from './options.js'
import { Refusal } from './refusal.js'
import { respond } from './respond.js'
import { findRoute, type Route, routesOf } from './routes.js'
import { entitiesBelow } from './row-place.js'
import { type BackendChange, Tables } from './tables.js'

/**
 * An in-memory server: call it with a request, and it resolves with the response, or with undefined if no endpoint has that
 * URL.
 */
export interface Backend {
  (request: Request): Promise<Response | undefined>
  /**
   * Sends a controller's requests to it: `new Controller({ transport: api.transport })`. URLs without an endpoint get 501.
   */
  readonly transport: Transport
  /** The same as a server function for any origin: for Hono, Bun, workers. `init` applies if `input` is not a `Request`. */
  readonly fetch: (input: Request | string | URL, init?: object) => Promise<Response>
  /** The handled requests, oldest first. */
  readonly log: readonly BackendLogEntry[]
  /** The `id` of the last change, which responses have in `x-event-id`. */
  readonly lastChange: string
  /** The rows of an entity, as they are sent. */
  rows(kind: BackendKind): readonly RowRecord[]
  /**
   * Writes the fields of a row, as another client would, and returns the row.
   *
   * @throws OptionError for an entity that no endpoint has, and for a row without primary key.
   */
  put(kind: BackendKind, row: object): RowRecord
  /** Deletes a row by its primary key, as another client would; false if there is none. */
  remove(kind: BackendKind, pk: string | number): boolean
  /** Calls a function after each change of a row; returns a function that stops it. */
  on(listener: (change: BackendChange) => void): () => void
  /** Returns to the seed, and empties the log. */
  reset(): void
}

/**
 * Creates an in-memory server from definitions: lists that filter, sort and page, rows that are created, changed and
 * deleted, with ETags and the statuses of a real server.
 *
 * @remarks
 * Lists filter by equality, or by `belongs` of their Collection, and are sorted by its `compare`. Pages are numbers, offsets
 * or the key of the last row. If an endpoint's behaviour does not follow from its definition, pass `answers` or `send`;
 * otherwise it gets 501 with the reason.
 *
 * @example
 * ```ts
 * const api = backend({ TodoResource }, { seed: { Todo: [{ id: 1, title: 'Milk' }] } })
 * const controller = new Controller({ transport: api.transport })
 * await controller.fetch(TodoResource.getList) // [Todo { id: 1, title: 'Milk' }]
 * ```
 * @throws OptionError if there is no endpoint, and for a seed that does not fit.
 */
export function backend(resources: object, options: BackendOptions = {}): Backend {
  if (process.env.NODE_ENV !== 'production') checkOptions(options)
  const { seed = {}, answers = [], env = browserEnv() } = options
  const routes = routesOf(resources, answers, options.send !== undefined)
  const entities = entitiesBelow(routes.map(({ endpoint }) => endpoint.schema))
  const listeners = new Set<(change: BackendChange) => void>()
  const log: BackendLogEntry[] = []
  /** Requests and their responses, by their `Idempotency-Key`. */
  const known = new Map<string, { readonly request: string; readonly response: Response }>()
  const tables = new Tables(entities, (change) => {
    for (const listener of [...listeners]) {
      try {
        listener(change)
      } catch (error) {
        console.error(error)
      }
    }
  })

  function entityOf(option: string, kind: BackendKind): EntityInterface {
    const key = typeof kind === 'string' ? kind : kind.key
    const known = entities.get(key)
    if (known) return known.entity
    const hint = process.env.NODE_ENV === 'production' ? '' : ` There are: ${[...entities.keys()].join(', ')}.`
    throw new OptionError(option, `of a backend names '${key}', which no endpoint has.${hint}`)
  }

  function write(option: string, kind: BackendKind, row: object): RowRecord {
    const entity = entityOf(option, kind)
    const kept = tables.write(entity, row)
    if (kept) return tables.sent(kept)
    throw new OptionError(option, `of a backend has a ${entity.key} without primary key: ${JSON.stringify(row)}.`)
  }

  function reset(): void {
    tables.clear()
    known.clear()
    log.length = 0
    for (const [kind, rows] of Object.entries(seed)) {
      const entity = entityOf('seed', kind)
      for (const row of rows) write('seed', entity, row)
    }
  }

  async function handle(request: Request, isAnyOrigin: boolean): Promise<Response | undefined> {
    const url = new URL(request.url)
    const { route, params, methods } = findRoute(routes, request.method, url, isAnyOrigin)
    if (!route && methods.length === 0) return undefined
    const body = await bodyOf(request)
    const response = route
      ? await respondOnce(route, params, body, request).catch((reason: unknown) => refused(reason, request))
      : otherMethods(request, url, methods)
    request.signal.throwIfAborted()
    log.push({ method: request.method, url: url.pathname + url.search, body, status: response.status })
    return request.method === 'HEAD' ? new Response(null, response) : response
  }

  /** A request with an `Idempotency-Key` that is known gets the same response again; another one with that key gets 422. */
  async function respondOnce(route: Route, params: UrlTexts, body: unknown, request: Request): Promise<Response> {
    await wait(request)
    const { fail = 0 } = options
    const status = typeof fail === 'function' ? fail(request) : env.random() < fail
    if (status) throw new Refusal(status === true ? 503 : status, 'Failed, as the option fail of the backend says.')
    if (body instanceof Refusal) throw body
    if (route.answer) return answered(await route.answer({ params, body, request }))
    const { headers, method, url } = request
    const key = headers.get('idempotency-key')
    const name = `${method} ${url} ${JSON.stringify(body)}`
    const before = key === null ? undefined : known.get(key)
    if (before && before.request !== name)
      throw new Refusal(422, `This Idempotency-Key belongs to another request. Give each change a key of its own.`)
    const response = before?.response ?? respond(tables, { route, params, body, headers }, options)
    if (key !== null) known.set(key, { request: name, response })
    return response.clone()
  }

  async function wait(request: Request): Promise<void> {
    const { delay = 0 } = options
    const { signal } = request
    const ms = typeof delay === 'function' ? delay(request) : delay
    if (ms > 0) {
      await new Promise<void>((resolve) => {
        const timer = env.setTimeout(resolve, ms)
        signal.addEventListener('abort', () => {
          env.clearTimeout(timer)
          resolve()
        })
      })
    }
    // An aborted request changes nothing.
    signal.throwIfAborted()
  }

  async function send(request: Request, isAnyOrigin: boolean): Promise<Response> {
    return (await handle(request, isAnyOrigin)) ?? nothingAt(request, routes)
  }

  reset()
  const served = Object.assign((request: Request) => handle(request, false), {
    transport: (input: Request | string | URL, init?: RequestInit) => send(requestOf(input, init), false),
    // The second argument that servers pass with a request is not a RequestInit.
    fetch: (input: Request | string | URL, init?: object) =>
      send(requestOf(input, input instanceof Request ? undefined : init), true),
    log,
    rows: (kind: BackendKind) => tables.rows([entityOf('rows', kind)]).map((row) => tables.sent(row)),
    put: (kind: BackendKind, row: object) => write('put', kind, row),
    remove(kind: BackendKind, pk: string | number) {
      const row = tables.get(entityOf('remove', kind).key, `${pk}`)
      if (row) tables.remove(row)
      return row !== undefined
    },
    on(listener: (change: BackendChange) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    reset,
  })
  return Object.defineProperty(served, 'lastChange', { get: () => tables.lastChange }) as typeof served &
    Pick<Backend, 'lastChange'>
}

function checkOptions(options: BackendOptions): void {
  needOptions('backend', options, 'backend({ TodoResource }, { seed: { Todo: [{ id: 1 }] } })')
  const { delay, fail, pageSize = 1, answers = [], seed = {} } = options
  if (typeof delay !== 'function' && delay !== undefined) checkTime('delay', delay, true)
  if (typeof fail === 'number' && !(fail >= 0 && fail <= 1))
    throw new OptionError('fail', `must be a share from 0 to 1, or a function of the request, found ${fail}.`)
  if (!(Number.isInteger(pageSize) && pageSize > 0))
    throw new OptionError('pageSize', `must be a whole number above 0, found ${pageSize}.`)
  for (const [kind, rows] of Object.entries(seed)) {
    if (!Array.isArray(rows))
      throw new OptionError('seed', `of a backend must have a list of rows for ${kind}, found ${describe(rows)}.`)
  }
  if (!Array.isArray(answers))
    throw new OptionError(
      'answers',
      `of a backend must be a list, found ${describe(answers)}: write answers: [{ endpoint, response }].`,
    )
  for (const answer of answers) {
    const { endpoint, response }: Partial<BackendAnswer> = Object(answer)
    needFunction('response', response, 'an answer of a backend')
    if (typeof endpoint?.path !== 'string')
      throw new OptionError('answers', `of a backend need a RestEndpoint, found ${describe(endpoint)}.`)
  }
}
