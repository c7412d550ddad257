import type { Controller } from '../client/controller.js'
import type { LiveObserver } from '../client/live-observer.js'
import { hostOf, type Registry } from '../client/registry.js'
import { localResponse } from '../client/write.js'
import { orderIn } from '../commit/journal.js'
import { summaryOf } from '../commit/write.js'
import type { RequestPart, Transport } from '../endpoint/options.js'
import type { Entry } from '../engine/entry.js'
import type { Flight } from '../engine/flight.js'
import { onCommit } from '../engine/on-commit.js'
import type { Store } from '../engine/store.js'
import { courierOf } from '../offline/couriers.js'
import { isEntity, isRowSchema, isSchemaObject, type RowRecord, type Schema } from '../schema/schema.js'
import { Change } from '../table/change.js'
import type { FieldOrder } from '../table/order.js'
import type { Row } from '../table/row.js'
import { isThere, TOMBSTONE } from '../table/value.js'
import { OptionError, RoundtableError, TransportError } from '../util/errors.js'
import { copyPlain } from '../util/plain.js'
import { Callers, type InspectedCaller } from './callers.js'
import { describeCommit } from './commit-recorder.js'
import type {
  InspectedLayer,
  InspectedOutbox,
  InspectedReader,
  InspectedRequest,
  InspectedResult,
  InspectedRow,
  InspectedTable,
} from './inspected.js'
import { ReaderNames } from './reader-names.js'

/** The options of `inspect`. */
export interface InspectOptions {
  /**
   * True to determine from call stacks which components read, and where requests and actions are called. In
   * development only: a production build has no names.
   *
   * @default false
   */
  readonly stacks?: boolean
}

/**
 * Inspects a controller, for developer tools: a session of `@roundtable/devtools` is an `Inspection`. Until `stop` is
 * called, `commit` events contain their causes, the changed rows and the notified readers.
 *
 * @example
 * ```ts
 * const inspection = inspect(controller)
 * controller.on('commit', ({ causes, readers }) => console.log(causes, readers))
 * ```
 */
export function inspect(controller: Controller, options: InspectOptions = {}): Inspection {
  return new Inspection(controller, options)
}

/**
 * Describes and changes a controller for developer tools; `inspect` returns it.
 *
 * @example
 * ```ts
 * const inspection: Inspection = inspect(new Controller())
 * inspection.requests() // what is in flight
 * inspection.stop()
 * ```
 */
export class Inspection {
  readonly #host: Registry
  readonly #stopListening: () => void
  /** The part that simulates a network. */
  #network: RequestPart | undefined
  readonly #names: ReaderNames | undefined
  readonly #callers: Callers | undefined
  #isStopped = false

  constructor(controller: Controller, { stacks = false }: InspectOptions = {}) {
    const host = hostOf(controller)
    const { store, events } = host.runtime
    this.#host = host
    this.#stopListening = onCommit(store, describeCommit)
    if (!stacks) return
    this.#names = new ReaderNames()
    host.onRead ??= new Set()
    host.onRead.add(this.#names.note)
    if (process.env.NODE_ENV !== 'production') this.#callers = new Callers(events)
  }

  get #store() {
    return this.#host.runtime.store
  }

  /** True after the controller was disposed. */
  get isDisposed(): boolean {
    return this.#host.runtime.closed !== undefined
  }

  // — what there is —

  tables(): readonly InspectedTable[] {
    const { kinds, lists } = this.#store.table
    const entities = [...kinds.values()].map(({ key, rows }) => ({ kind: key, isList: false, count: rows.size }))
    return [...entities, ...[...lists.values()].map(({ key, rows }) => ({ kind: key, isList: true, count: rows.size }))]
  }

  /** Returns the primary keys of a kind in order of arrival. */
  primaryKeys(kind: string): readonly string[] {
    const { kinds, lists } = this.#store.table
    return [...((kinds.get(kind) ?? lists.get(kind))?.rows.keys() ?? [])]
  }

  /** Returns a row; undefined if there is none. */
  row(kind: string, pk: string): InspectedRow | undefined {
    const { kinds, lists } = this.#store.table
    const row: Row | undefined = kinds.get(kind)?.rows.get(pk) ?? lists.get(kind)?.rows.get(pk)
    if (row === undefined) return undefined
    const value = valueToTell(row.value)
    const newest = row.mutated !== undefined && row.mutated.at >= (row.read?.at ?? 0) ? row.mutated : row.read
    return {
      kind,
      pk,
      value,
      isTombstone: row.value === TOMBSTONE,
      levels: levelsOf(this.#store, row).map(({ by, value: at }) => ({ by, value: valueToTell(at) })),
      writtenBy: writersOf(row, value, (of, field) => orderOf(this.#store, of, field)),
      links: linksOf(row),
      expiresAt: newest?.expiresAt,
    }
  }

  results(): readonly InspectedResult[] {
    const readers = new Map<Entry, LiveObserver[]>()
    for (const observer of this.#host.all()) {
      const entry = observer.query?.entry
      if (entry !== undefined) readers.set(entry, [...(readers.get(entry) ?? []), observer])
    }
    return [...this.#store.entries.values()].map((entry) => {
      const observers = readers.get(entry) ?? []
      const facts = observers[0]?.query?.facts(false)
      return {
        key: entry.key,
        listenerCount: observers.reduce((sum, { listenerCount }) => sum + listenerCount, 0),
        isLoaded: facts?.hasData ?? entry.response !== undefined,
        expiresAt: facts?.hasData ? facts.expiresAt : entry.response?.expiresAt,
        mark: facts?.mark,
        error: entry.error?.error,
        broughtBy: entry.response?.start ?? 0,
      }
    })
  }

  requests(): readonly InspectedRequest[] {
    return [...this.#host.runtime.network.flights].map((flight) => ({
      id: flight.start,
      key: flight.key,
      cause: flight.cause,
      sideEffect: flight.isMutation,
      hasLayer: flight.layer !== undefined,
      failureCount: flight.failureCount ?? 0,
    }))
  }

  layers(): readonly InspectedLayer[] {
    return this.#store.layers.map((layer) => ({
      id: layer.start,
      key: this.#flightOf(layer.start)?.key ?? '',
      written: [...layer.writes].flatMap((row) => {
        if (row.home.key === '') return []
        const level = levelsOf(this.#store, row).find(({ by }) => by === layer.start)
        return [{ kind: row.home.key, pk: row.pk, value: valueToTell(level?.value) }]
      }),
    }))
  }

  readers(): readonly InspectedReader[] {
    const readers = [...this.#host.all()].filter(({ listenerCount }) => listenerCount > 0)
    return this.describeReaders(readers)
  }

  /** The outbox; undefined for a controller without an outbox. */
  get outbox(): InspectedOutbox | undefined {
    return courierOf(this.#host)
  }

  /**
   * Returns the functions of the application that called a request or an action, innermost first; none without `stacks`, and
   * for requests of the library itself, such as polls.
   */
  callersOf(id: number): readonly InspectedCaller[] {
    return this.#callers?.of(id) ?? []
  }

  /** Describes the `notified` of a commit. */
  describeReaders(notified: readonly object[]): readonly InspectedReader[] {
    // Only observers are notified.
    const readers = (notified as readonly LiveObserver[]).filter((observer) => !this.#host.parts.has(observer))
    return readers.map((observer) => ({
      observer,
      key: keyOfReader(observer),
      type: typeOfReader(observer),
      listenerCount: observer.listenerCount,
      names: this.#names?.of(observer) ?? [],
    }))
  }

  // — what may be done —

  /** Fetches a key again. Returns false if nothing reads it. */
  refetch(key: string): boolean {
    const observer = this.#readerOf(key)
    if (observer === undefined) return false
    void observer.refetch()
    return true
  }

  /** Invalidates a key. Returns false if nothing is stored for it. */
  invalidate(key: string): boolean {
    const { runtime } = this.#host
    if (runtime.store.entriesOf(key).length === 0) return false
    runtime.store.markKey(key, 'invalid', runtime.act('invalidate', key))
    return true
  }

  /**
   * Writes fields of a row, as `controller.set` does.
   *
   * @throws OptionError if no class of this kind has been used yet
   */
  edit(kind: string, pk: string, fields: RowRecord): void {
    const { runtime } = this.#host
    const { store } = runtime
    const home = store.table.kinds.get(kind)
    if (home?.info === undefined) throw new OptionError('kind', `${kind} is not the key of an entity that is in use.`)
    const change = new Change()
    change.write(home.row(pk), copyPlain({ ...fields }) as RowRecord, home.info)
    const response = localResponse(runtime, `${kind} ${pk}`)
    store.commit({ change, response, by: response.start })
  }

  /** Removes the optimistic layer of a request without ending the request. Returns false if it has none. */
  dropLayer(id: number): boolean {
    const flight = this.#flightOf(id)
    if (flight?.layer === undefined) return false
    const { layer } = flight
    flight.layer = undefined
    this.#store.commit({ settle: layer, by: id })
    return true
  }

  /**
   * Replaces the function that performs all requests of `RestEndpoint`s; the new one receives the original. Undefined
   * restores it.
   */
  replaceTransport(wrap: ((before: Transport) => Transport) | undefined): void {
    const { runtime } = this.#host
    const others = runtime.parts.filter((part) => part !== this.#network)
    this.#network = wrap && simulated(wrap)
    runtime.parts = this.#network ? [...others, this.#network] : others
  }

  /** Ends the inspection: commit events no longer contain the additional facts. */
  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#stopListening()
    if (this.#names !== undefined) this.#host.onRead?.delete(this.#names.note)
    this.#callers?.stop()
    this.replaceTransport(undefined)
  }

  #readerOf(key: string): LiveObserver | undefined {
    for (const observer of this.#host.all()) {
      if (observer.query?.key === key && observer.role.fetches === true) return observer
    }
    return undefined
  }

  #flightOf(id: number): Flight | undefined {
    for (const flight of this.#host.runtime.network.flights) if (flight.start === id) return flight
    return undefined
  }
}

/** Creates a part that replaces the network. Its errors count as network errors. */
function simulated(wrap: (before: Transport) => Transport): RequestPart {
  return {
    name: 'inspect',
    async exchange({ request: { endpoint }, input, init }, next) {
      try {
        return await wrap((_, by) => next(by))(input, init, endpoint)
      } catch (cause) {
        if (cause instanceof RoundtableError || init.signal?.aborted) throw cause
        const { method = 'GET' } = init
        throw new TransportError(String((input as Partial<Request>).url ?? input), method, { cause })
      }
    },
  }
}

/** Returns a value with a list's members as an array, since JSON omits the content of Sets and Maps. */
function valueToTell(value: unknown): unknown {
  if (!isThere(value)) return undefined
  if (typeof value !== 'object' || value === null || !('members' in value)) return value
  const { members, args } = value as { readonly members: unknown; readonly args?: unknown }
  const listed = members instanceof Map ? Object.fromEntries(members) : members instanceof Set ? [...members] : members
  return { args, members: listed }
}

function writersOf(
  row: Row,
  value: unknown,
  journalOrder: (row: Row, field: string) => FieldOrder,
): Record<string, number> {
  if (typeof value !== 'object' || value === null) return {}
  const writers = Object.keys(value).map((field) => {
    const { read, started, written } = journalOrder(row, field)
    return [field, written > read ? started : read] as const
  })
  return Object.fromEntries(writers)
}

function linksOf(row: Row): Record<string, string> {
  const links: Record<string, string> = {}
  for (const { field, target } of row.home.info?.relations ?? []) if (target !== undefined) links[field] = target.key
  const member = row.home.list?.member
  if (isEntity(member)) links.members = member.key
  return links
}

function keyOfReader({ key, subject: { schema }, query }: LiveObserver): string {
  return query === undefined && schema !== undefined ? `${nameOfSchema(schema)} ${key}` : key
}

function typeOfReader({ role, query }: LiveObserver): InspectedReader['type'] {
  if (role.fetches === true) return 'watch'
  if (query !== undefined) return 'peek'
  return role.reads === 'table' ? 'view' : 'other'
}

function nameOfSchema(schema: Schema): string {
  if (isRowSchema(schema)) return schema.key
  const parts = isSchemaObject(schema) ? (schema.parts?.() ?? []) : Object.values(schema ?? {})
  // Bundlers shorten the names of classes, so a schema gets the name of the entity that it shows.
  const [first] = parts.filter((part) => typeof part === 'object' || typeof part === 'function')
  return first === undefined ? 'plain' : nameOfSchema(first as Schema)
}

/** Returns the values of a row by the layers that wrote it, server state first. */
function levelsOf(store: Store, row: Row): readonly { readonly by: number; readonly value: unknown }[] {
  const by = store.layers.filter(({ below }) => below.has(row)).map(({ start }) => start)
  return by.length === 0
    ? []
    : [0, ...by].map((start, i) => ({ by: start, value: store.below(row, by[i] ?? Infinity) }))
}

/** Returns the order of a field. */
function orderOf(store: Store, row: Row, field: string): FieldOrder {
  const noted = orderIn(store.journal.entries, row, field, { sent: 0 })
  return noted.read + noted.started > 0 ? noted : summaryOf(row)
}
