import type { EndpointInterface, RequestPart } from '../endpoint/options.js'
import { template } from '../path/template.js'
import { NetworkError } from '../rest/network-error.js'
import { Change } from '../table/change.js'
import { eachRow } from '../table/refs.js'
import { isThere } from '../table/value.js'
import { describe } from '../util/describe.js'
import { CallbackError, OptionError } from '../util/errors.js'
import { needOptions } from '../util/need-options.js'
import { isPlain } from '../util/plain.js'
import { stableKey } from '../util/stable-key.js'
import { type Call, Flight, type FlightOwner, type FlightResult } from './flight.js'
import { abortErrorOf } from './request.js'

/** The options of `batch`. */
export interface BatchOptions {
  /**
   * The path template of the request for several members, under the `urlPrefix` of the endpoint: `'/todos?id=:ids'`.
   * Without `:ids`, they become a repeated search param: `/todos?ids=1&ids=2`.
   */
  readonly path: string
  /**
   * The param that takes the ids. In the path they are joined by commas.
   *
   * @default 'ids'
   */
  readonly ids?: string | undefined
  /**
   * The maximum number of ids in one request, an integer from 1; more are split.
   *
   * @default 100
   */
  readonly max?: number | undefined
  /**
   * Returns the members in the response.
   *
   * @default the endpoint's `process`, which returns the response
   */
  readonly items?: ((response: never) => readonly unknown[]) | undefined
}

/**
 * Creates the `batch` option of an endpoint for one member, such as a resource's `get`: reads in the same tick become
 * one request. It contains only members that readers would fetch anyway; members with fresh rows are not requested.
 *
 * @remarks
 * A member of the response belongs to the call whose last path param is its field of that name, or its primary key. A call
 * whose member is not in the response gets a `NetworkError` with status 404. The request has the endpoint's other options
 * (`retry`, `timeout`, headers); it is aborted when no reader waits for any of its members. Single reads and direct calls
 * without a controller are sent unchanged.
 *
 * @example
 * ```ts
 * const TodoResource = resource({
 *   path: '/todos/:id',
 *   schema: Todo,
 *   batch: batch({ path: '/todos?id=:ids', max: 100 }),
 * })
 * ```
 * @throws OptionError for an invalid, unknown or missing option
 */
export function batch(options: BatchOptions): RequestPart {
  if (process.env.NODE_ENV !== 'production') needOptions('batch', options, "batch({ path: '/todos?id=:ids' })")
  checkBatch(options)
  const several = new WeakMap<EndpointInterface, EndpointInterface>()
  const queues = new WeakMap<FlightOwner, Waiting[]>()
  const enqueue = (waiting: Waiting): void => {
    const { owner } = waiting.flight
    const queue = queues.get(owner) ?? []
    queues.set(owner, queue)
    if (queue.push(waiting) > 1) return
    queueMicrotask(() => {
      queues.delete(owner)
      for (const group of groupsOf(queue, options.max ?? 100)) sendGroup(group, options, several)
    })
  }
  return {
    name: 'batch',
    isOnly: true,
    forMember: true,
    request(flight, alone) {
      const named = flight instanceof Flight ? namedBy(flight) : undefined
      // The path joins ids by commas, so the server would read an id with a comma as several.
      const isJoined = named?.id.includes(',') && template(options.path).names.has(options.ids ?? 'ids')
      if (named === undefined || isJoined) return alone()
      return new Promise((resolve, reject) => enqueue({ ...named, alone, resolve, reject }))
    },
  }
}

/** Params by name; any value is accepted until it becomes part of a URL. */
type Params = Readonly<Record<string, unknown>>

/** A call for one member: its id, and the other params, which calls in the same batch share. */
interface Named {
  readonly flight: Flight
  readonly id: string
  /** The param that names the member. */
  readonly param: string
  readonly common: Params
}

/** A read that waits for the end of the tick, and then for its group. */
interface Waiting extends Named {
  alone(): Promise<unknown>
  resolve(data: unknown): void
  reject(error: unknown): void
}

/** Returns the member that a call requests; undefined if the call cannot be batched. */
function namedBy(flight: Flight): Named | undefined {
  const { endpoint, args, isMutation } = flight
  const [params, ...rest] = args
  const { path } = endpoint as { readonly path?: string }
  const param = path === undefined ? undefined : [...template(path).names].at(-1)
  if (isMutation || endpoint.extend === undefined || rest.length > 0 || param === undefined) return undefined
  if (!isPlain(params) || Array.isArray(params)) return undefined
  const { [param]: id, ...common } = params as Params
  return typeof id === 'string' || typeof id === 'number' ? { flight, id: String(id), param, common } : undefined
}

/** Groups reads with the same endpoint and common params, at most `max` per group. Rejects aborted ones. */
function groupsOf(queue: readonly Waiting[], max: number): Iterable<readonly Waiting[]> {
  const groups: Waiting[][] = []
  const open = new Map<EndpointInterface, Map<string, Waiting[]>>()
  for (const waiting of queue) {
    const { flight, common, reject } = waiting
    if (flight.abort.signal.aborted) {
      reject(abortErrorOf(flight.abort.signal))
      continue
    }
    const ofEndpoint = open.get(flight.endpoint) ?? new Map<string, Waiting[]>()
    open.set(flight.endpoint, ofEndpoint)
    const key = stableKey([common])
    const group = ofEndpoint.get(key)
    if (group !== undefined && group.length < max) {
      group.push(waiting)
    } else {
      const next = [waiting]
      ofEndpoint.set(key, next)
      groups.push(next)
    }
  }
  return groups
}

function sendGroup(
  group: readonly Waiting[],
  options: BatchOptions,
  several: WeakMap<EndpointInterface, EndpointInterface>,
): void {
  const [first] = group as readonly [Waiting]
  if (group.length === 1) {
    first.resolve(first.alone())
    return
  }
  const { owner, endpoint: one } = first.flight
  try {
    const endpoint = several.get(one) ?? endpointForSeveral(one, options)
    several.set(one, endpoint)
    const call = callFor(group, endpoint, options)
    const membersIn = once((result: FlightResult) => membersById(result, first))
    for (const waiting of group) {
      const settle = (result: FlightResult): void => settleOne(waiting, call, membersIn(result))
      // When a read is aborted, the network removes it from the request, and aborts the request after the last one.
      const { abort, start: by } = waiting.flight
      const fail = (error: Error): void => {
        waiting.flight.reportedError = error
        waiting.reject(error)
      }
      owner.join(call, {
        settle,
        fail,
        signal: abort.signal,
        joinsAny: true,
        cause: { type: 'batch', by },
      })
    }
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}

function endpointForSeveral(one: EndpointInterface, { path, items }: BatchOptions): EndpointInterface {
  const options = {
    path,
    schema: [one.schema],
    name: `${one.name}.batch`,
    update: undefined,
    ...(items && { process: itemsBy(items, path) }),
  }
  // The type of `extend` in the interface is narrower than that of every endpoint's method.
  return one.extend?.(options as never) as EndpointInterface
}

function itemsBy(items: (response: never) => readonly unknown[], path: string): (response: unknown) => unknown {
  return (response) => {
    try {
      return items(response as never)
    } catch (cause) {
      throw new CallbackError('items', `batch '${path}'`, { cause })
    }
  }
}

function callFor(group: readonly Waiting[], endpoint: EndpointInterface, { path, ids = 'ids' }: BatchOptions): Call {
  const wanted = [...new Set(group.map(({ id }) => id))]
  const args = [{ ...group[0]?.common, [ids]: template(path).names.has(ids) ? wanted.join() : wanted }]
  return { endpoint, args, key: endpoint.key(...(args as never)) }
}

/** A member of the response: its stored form, and its payload. */
interface Found {
  readonly result: unknown
  readonly data: unknown
}

/** Returns the members of a response by the param's field, and by primary key. */
function membersById({ stored, data }: FlightResult, { flight, param }: Waiting): ReadonlyMap<string, Found> {
  const { endpoint, owner } = flight
  const byField = new Map<string, Found>()
  const byPk = new Map<string, Found>()
  // The schema is an array, and so is the payload unless it is empty.
  const results = stored as readonly unknown[]
  for (const [at, result] of results.entries()) {
    const found = { result, data: Array.isArray(data) ? data[at] : result }
    eachRow(endpoint.schema, result, owner.store, ({ pk, value }) => {
      byPk.set(pk, found)
      const field = isThere(value) ? (value as Params)[param] : undefined
      if (field !== undefined) byField.set(String(field), found)
    })
  }
  return new Map([...byPk, ...byField])
}

/** Settles a read with its member and the facts of the response that contained it. */
function settleOne({ flight, id, resolve, reject }: Waiting, call: Call, members: ReadonlyMap<string, Found>): void {
  const found = members.get(id)
  if (found === undefined) {
    const response = new Response(`The response of ${call.key} has no such member.`, {
      status: 404,
      statusText: 'Not Found',
    })
    reject(new NetworkError(response, { url: flight.key.slice(flight.key.indexOf(' ') + 1) }))
    return
  }
  const change = new Change()
  change.result = found.result
  flight.answer = { change, response: flight.owner.store.entry(call.key, call.endpoint.schema).response }
  resolve(found.data)
}

/** Returns a function that computes its result once. */
function once<Input, Output>(work: (input: Input) => Output): (input: Input) => Output {
  let made: { readonly output: Output } | undefined
  return (input) => {
    made ??= { output: work(input) }
    return made.output
  }
}

function checkBatch(options: BatchOptions): void {
  const { path, max = 1, ids = '', items } = options
  for (const name of Object.keys(options)) {
    if (!['path', 'ids', 'max', 'items'].includes(name))
      throw badOption(name, 'is unknown: there are path, ids, max and items')
  }
  if (typeof path !== 'string') throw badOption('path', `must be a path template, found ${describe(path)}`)
  if (typeof ids !== 'string') throw badOption('ids', `must be the name of a param, found ${describe(ids)}`)
  if (!Number.isInteger(max) || max < 1) throw badOption('max', `must be an integer from 1, found ${describe(max)}`)
  if (items !== undefined && typeof items !== 'function') {
    throw badOption('items', `must be a function, found ${describe(items)}`)
  }
  template(path)
}

function badOption(name: string, reason: string): OptionError {
  return new OptionError(`batch.${name}`, `${reason}.`)
}
