import { defineDefault } from '../endpoint/option-table.js'
import type { RequestError } from '../endpoint/options.js'
import type { Entry } from '../engine/entry.js'
import type { Call, Flight } from '../engine/flight.js'
import { NetworkError } from '../rest/network-error.js'
import type { RestEndpoint } from '../rest/rest-endpoint.js'
import { isEntity } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import { baseOf, isThere, REMOVED, type RecordRow, type ResponseInfo } from '../table/row.js'
import { describe } from '../util/describe.js'
import { equal } from '../util/equal.js'
import { CallbackError, OptionError, TimeoutError, TransportError } from '../util/errors.js'
import { ConflictError, type StoredFields } from './conflict-error.js'
import { type HeaderOf, type Lifetime, lifetimeOf } from './lifetime.js'

/** What to do about a conflict: send mine over theirs, give mine up, or send these fields. */
export type Resolution = 'retry' | 'drop' | StoredFields

/** The options of `withHttp`. */
export interface HttpOptions {
  /**
   * True if `Cache-Control`, `Expires` and `Age` decide how long a response is fresh. An endpoint with a `dataExpiryLength` ignores
   * them, and a response without them has the lifetime of the controller.
   *
   * @default false
   */
  readonly cache?: boolean | undefined
  /**
   * True to send `If-None-Match` with the `ETag` of the stored response. A 304 renews that without parsing anything.
   *
   * @default false
   */
  readonly etag?: boolean | undefined
  /**
   * `'update'` to send `If-Match` with PUT, PATCH and DELETE of a URL whose stored response is one entity with a strong `ETag`.
   *
   * @default undefined: never
   */
  readonly ifMatch?: 'update' | undefined
  /**
   * Decides what happens if somebody else has changed the same fields meanwhile.
   *
   * @default undefined: the request rejects with the ConflictError
   */
  readonly onConflict?: ((conflict: ConflictError) => Resolution | Promise<Resolution>) | undefined
}

/** What is known of the response to one request of a key: of a URL, or of a page of a list. */
interface Note {
  readonly call: Call
  change: Change
  /** The validator of that very response. */
  etag: string | undefined
  /** The row that the response was, if it was one entity. */
  readonly row: RecordRow | undefined
  /** The row's value for the server's present representation, and the strong validator of that: mutations renew both. */
  base: StoredFields
  current: string | undefined
  /** Wall clock in ms until when it may be shown although refreshing it fails. */
  errorUntil: number | undefined
  /** Settles when the row's last mutation has: they are sent one after the other, each with the validator that the one before brought. */
  tail: Promise<void>
}

/**
 * Returns the class with HTTP's own rules: freshness by `Cache-Control`, revalidation by `ETag`, and updates that overwrite nobody else's
 * changes by `If-Match`.
 *
 * @remarks
 * It concerns requests of a controller; direct calls are sent as ever. Across origins, `If-None-Match` and `If-Match` cost a preflight,
 * and the server must expose the header: `Access-Control-Expose-Headers: ETag, Age, Expires`.
 *
 * @example
 * ```ts
 * const Api = withHttp(RestEndpoint, { cache: true, etag: true, ifMatch: 'update' })
 * const TodoResource = resource({ path: '/todos/:id', schema: Todo, Endpoint: Api })
 * ```
 * @throws OptionError in development for an invalid or unknown option
 */
export function withHttp<Class extends typeof RestEndpoint>(Base: Class, options: HttpOptions): Class {
  if (process.env.NODE_ENV !== 'production') checkOptions(options)
  const { cache, etag, ifMatch, onConflict } = options
  // All of this goes with the entries and requests of one controller.
  const notes = new WeakMap<Entry, Map<string, Note>>()
  const headersOf = new WeakMap<Flight, HeaderOf>()
  const updates = new WeakMap<Flight, Note>()
  const excused = new WeakSet<object>()

  const noteOf = ({ owner, key, endpoint, requestKey }: Flight): Note | undefined =>
    notes.get(owner.store.entry(key, endpoint.schema))?.get(requestKey)

  /** The response of the URL as one entity. */
  const rowNote = ({ owner }: Flight, url: string): Note | undefined => {
    for (const entry of owner.store.entriesOf(`GET ${url}`)) {
      for (const note of notes.get(entry)?.values() ?? []) if (note.row !== undefined) return note
    }
    return undefined
  }

  // A class that a function extends takes any arguments; what it returns is what it was given, with other methods.
  const Parent = Base as unknown as new (...args: readonly never[]) => RestEndpoint

  class HttpEndpoint extends Parent {
    /** The request that this copy was made for; undefined for a direct call. */
    declare readonly flight?: Flight

    override async fetch(...args: readonly never[]): Promise<never> {
      const { flight } = this
      try {
        // The result is what the parent says.
        return (await super.fetch(...(args as never))) as never
      } catch (error) {
        if (flight === undefined) throw error
        if (flight.unchanged !== undefined) return flight.unchanged.result as never
        if (!flight.isMutation) excuse(flight, error as Error)
        throw error
      }
    }

    override async fetchResponse(input: string | URL | Request, init: RequestInit): Promise<Response> {
      const { flight } = this
      const send = (by: RequestInit): Promise<Response> => super.fetchResponse(input, by)
      if (flight === undefined) return send(init)
      if (flight.isMutation) {
        const isUpdate = ifMatch !== undefined && /^(?:PUT|PATCH|DELETE)$/.test(init.method ?? '')
        const note = isUpdate ? rowNote(flight, String(input)) : undefined
        return note === undefined ? send(init) : update({ flight, note, url: String(input), init, send })
      }
      const note = etag ? noteOf(flight) : undefined
      // Of what the table has dropped meanwhile, a 304 would bring nothing back.
      const asked = note !== undefined && isStored(note.change) ? note.etag : undefined
      try {
        // The browser's own cache would turn a 304 into the response that it has.
        const response = await send(
          asked === undefined ? init : { ...withHeader(init, 'if-none-match', asked), cache: 'no-store' },
        )
        headersOf.set(flight, readerOf(response))
        return response
      } catch (error) {
        if (isStatus(error, 304) && note !== undefined && asked !== undefined && isStored(note.change)) {
          headersOf.set(flight, readerOf(error))
          flight.unchanged = note.change
        }
        throw error
      }
    }

    override errorPolicy(error: RequestError): 'soft' | undefined {
      return excused.has(error) ? 'soft' : super.errorPolicy?.(error)
    }

    override onWrite(given: unknown, facts: unknown, written: unknown): void {
      // The network hands over its own.
      const flight = given as Flight
      const response = facts as ResponseInfo
      const change = written as Change | undefined
      const updated = updates.get(flight)
      if (updated !== undefined) updated.base = storedFields(updated)
      const header = headersOf.get(flight)
      if (header === undefined || change === undefined || flight.isMutation) return
      const lifetime = lifetimeOf(header, response.date)
      if (cache && this.dataExpiryLength === undefined) applyLifetime(response, lifetime)
      keepNote(flight, response, change, { header, errorFor: cache ? lifetime.errorFor : undefined })
    }
  }

  /** Stale data outlives this error if the server has allowed that: then the error is soft, and the data is shown until that time is over. */
  function excuse(flight: Flight, error: Error): void {
    const until = noteOf(flight)?.errorUntil
    const isTheirs = isStatus(error, 500, 599) || error instanceof TransportError || error instanceof TimeoutError
    const { response } = flight.owner.store.entry(flight.key, flight.endpoint.schema)
    if (until === undefined || !isTheirs || response === undefined) return
    excused.add(error)
    Object.assign(response, { shownUntil: until })
  }

  function keepNote(
    flight: Flight,
    response: ResponseInfo,
    change: Change,
    { header, errorFor }: { readonly header: HeaderOf; readonly errorFor: number | undefined },
  ): void {
    const { owner, key, endpoint, args, requestKey } = flight
    const entry = owner.store.entry(key, endpoint.schema)
    // A response that was overtaken says nothing of what the table has.
    if (entry.response !== response) return
    const known = noteOf(flight)
    const tag = etagOf(header) ?? (flight.unchanged && known?.etag)
    const { schema } = endpoint
    const { result } = change
    const isRow = isEntity(schema) && typeof result === 'string'
    const row = isRow ? owner.store.infos.of(schema).kind.row(result) : undefined
    const note: Note = known ?? {
      call: { endpoint, args, key },
      row,
      change,
      etag: undefined,
      base: {},
      current: undefined,
      errorUntil: undefined,
      tail: Promise.resolve(),
    }
    note.change = change
    // Updaters of other results see what these are now, so they cannot be repeated.
    note.etag = change.results.size === 0 ? tag : undefined
    note.errorUntil = errorFor === undefined ? undefined : response.date + errorFor
    // A mutation that completed later has told more.
    if (row !== undefined && (row.mutated?.done ?? 0) < response.start) {
      note.current = strongTag(tag)
      note.base = storedFields(note)
    }
    notes.set(entry, (notes.get(entry) ?? new Map<string, Note>()).set(requestKey, note))
  }

  async function update(sending: Update): Promise<Response> {
    const { flight, note, init, send } = sending
    const before = note.tail
    let release = (): void => {}
    note.tail = new Promise((resolve) => {
      release = resolve
    })
    try {
      await before
      // A read may renew both while this is on its way.
      const { current, base } = note
      const response = await send(current === undefined ? init : withHeader(init, 'if-match', current)).catch(
        (error) => {
          if (current === undefined || !isStatus(error, 412)) throw error
          return rebase(sending, { current, base }, error)
        },
      )
      updates.set(flight, note)
      note.current = strongTag(etagOf(readerOf(response)))
      return response
    } finally {
      release()
    }
  }

  /** Fetches the row, on which the layer is replayed, and sends mine again unless both have changed the same. */
  async function rebase(
    { flight, note, url, init, send }: Update,
    { current: refused, base }: Pick<Note, 'current' | 'base'>,
    cause: Error,
  ): Promise<Response> {
    const { method = '', signal } = init
    // A request that was in flight may have been older than theirs.
    for (let tries = 0; tries < 2 && note.current === refused; tries++) {
      await new Promise<void>((settle, fail) => {
        flight.owner.join(note.call, {
          settle: () => settle(),
          fail,
          signal: signal ?? undefined,
          cause: { type: 'retry', by: flight.start },
        })
      })
    }
    const theirs = storedFields(note)
    const mine = bodyOf(init)
    const conflict = (): ConflictError => new ConflictError(method, url, { base, mine, theirs }, { cause })
    let next = mine && method !== 'DELETE' ? joined(base, mine, theirs, method === 'PUT') : undefined
    if (next === undefined) {
      const resolution = await resolutionOf(onConflict, conflict())
      if (resolution === 'drop') flight.unchanged = note.change
      if (resolution !== 'retry' && (typeof resolution !== 'object' || resolution === null)) throw conflict()
      next = resolution === 'retry' ? mine : { ...(method === 'PUT' ? mine : undefined), ...resolution }
    }
    const again = next === mine ? init : { ...init, body: JSON.stringify(next) }
    return send(note.current === undefined ? again : withHeader(again, 'if-match', note.current)).catch((error) => {
      throw isStatus(error, 412) ? conflict() : error
    })
  }

  defineDefault(HttpEndpoint.prototype, 'transfers', (endpoint: RestEndpoint) => {
    const isOurs = endpoint.fetch === HttpEndpoint.prototype.fetch && Parent.prototype.transfers
    return (
      isOurs &&
      endpoint.parseResponse === Parent.prototype.parseResponse &&
      endpoint.process === Parent.prototype.process
    )
  })
  return HttpEndpoint as unknown as Class
}

/** A mutation of a row with a validator. */
interface Update {
  readonly flight: Flight
  readonly note: Note
  readonly url: string
  readonly init: RequestInit
  send(init: RequestInit): Promise<Response>
}

function applyLifetime(response: ResponseInfo, { freshFor, shownFor, mustRevalidate }: Lifetime): void {
  const { date } = response
  const expiresAt = freshFor === undefined ? response.expiresAt : date + freshFor
  const shownUntil = mustRevalidate ? expiresAt : date + (shownFor ?? Infinity)
  Object.assign(response, { expiresAt, shownUntil })
}

/** Mine with what they have changed, or undefined if both have changed the same fields to different values. */
function joined(
  base: StoredFields,
  mine: StoredFields,
  theirs: StoredFields,
  isWhole: boolean,
): StoredFields | undefined {
  const next: Record<string, unknown> = { ...mine }
  for (const field of Object.keys({ ...base, ...theirs })) {
    if (equal(base[field], theirs[field]) || !(field in mine) || equal(mine[field], theirs[field])) continue
    // A relation is a primary key in the table and may be anything in a body.
    const isMineToo = !equal(mine[field], base[field]) || typeof mine[field] !== typeof theirs[field]
    if (isMineToo) return undefined
    if (isWhole) next[field] = theirs[field]
    else delete next[field]
  }
  return next
}

async function resolutionOf(
  onConflict: HttpOptions['onConflict'],
  conflict: ConflictError,
): Promise<Resolution | undefined> {
  try {
    return await onConflict?.(conflict)
  } catch (cause) {
    throw new CallbackError('onConflict', conflict.url, { cause })
  }
}

/** True if the table still has all rows that a response wrote. */
function isStored({ rows, lists }: Change): boolean {
  return rows.every(({ gcEpoch }) => gcEpoch !== REMOVED) && lists.every(({ row }) => row.gcEpoch !== REMOVED)
}

function storedFields({ row }: Note): StoredFields {
  const value = row && baseOf(row)
  return isThere(value) ? value : {}
}

/** The fields of a JSON body; undefined for any other. */
function bodyOf({ body }: RequestInit): StoredFields | undefined {
  try {
    const fields: unknown = JSON.parse(String(body))
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields)
      ? (fields as StoredFields)
      : undefined
  } catch {
    return undefined
  }
}

// --- headers

function isStatus(error: unknown, from: number, to = from): error is NetworkError {
  return error instanceof NetworkError && error.status >= from && error.status <= to
}

function withHeader(init: RequestInit, name: string, value: string): RequestInit {
  const headers = new Headers(init.headers)
  // What the application says itself wins.
  if (!headers.has(name)) headers.set(name, value)
  return { ...init, headers }
}

/** Reads headers. A framework's `fetch` may refuse that. */
function readerOf({ headers }: { readonly headers: Headers }): HeaderOf {
  return (name) => {
    try {
      return headers.get(name) ?? undefined
    } catch {
      return undefined
    }
  }
}

/** The validator of a response; undefined for what is none. */
function etagOf(header: HeaderOf): string | undefined {
  const tag = header('etag')
  return tag !== undefined && /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(tag) ? tag : undefined
}

/** A weak validator does not tell two versions apart that differ a little. */
function strongTag(tag: string | undefined): string | undefined {
  return tag?.startsWith('W/') ? undefined : tag
}

// --- options

const httpRules: { readonly [Name in keyof Required<HttpOptions>]: (value: unknown) => boolean } = {
  cache: (value) => typeof value === 'boolean',
  etag: (value) => typeof value === 'boolean',
  ifMatch: (value) => value === 'update',
  onConflict: (value) => typeof value === 'function',
}

function checkOptions(options: HttpOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const isValid = httpRules[name as keyof HttpOptions] as ((value: unknown) => boolean) | undefined
    if (value === undefined || isValid?.(value)) continue
    const reason = isValid === undefined ? 'is unknown' : `cannot be ${describe(value)}`
    throw new OptionError(`withHttp.${name}`, `${reason}. The options are ${Object.keys(httpRules).join(', ')}.`)
  }
}
