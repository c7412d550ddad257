import type { Cause } from '../cause.js'
import type { PartRequest, RequestPart, Times } from '../endpoint/options.js'
import type { Entry } from '../engine/entry.js'
import { type Call, Flight, type FlightReceived } from '../engine/flight.js'
import { NetworkError } from '../rest/network-error.js'
import { headerOf } from '../rest/response.js'
import type { RestEndpoint } from '../rest/rest-endpoint.js'
import { isEntity } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import { REMOVED, type RecordRow } from '../table/row.js'
import { isThere } from '../table/value.js'
import { describe } from '../util/describe.js'
import { equal } from '../util/equal.js'
import { CallbackError, OptionError, TimeoutError, TransportError } from '../util/errors.js'
import { isPlain } from '../util/plain.js'
import { safeUrl } from '../util/safe-url.js'
import { ConflictError, type StoredFields } from './conflict-error.js'
import { type HeaderOf, lifetimeOf } from './lifetime.js'

/** What to do about a conflict: send mine over theirs, give mine up, or send these fields. */
export type Resolution = 'retry' | 'drop' | StoredFields

/** The options of `http` and `withHttp`. */
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
  /** The row that the response was, if it was one entity. */
  readonly row: RecordRow | undefined
  change: Change
  /** The validator of that very response. */
  etag?: string | undefined
  /** The row's value for the server's present representation, and the strong validator of that: mutations renew both. */
  base: StoredFields
  current?: string | undefined
  /** Settles when the row's last mutation has: they are sent one after the other, each with the validator that the one before brought. */
  tail?: Promise<unknown>
  /** Mutations of the row that may still be sent, with what they were made on: nobody has seen anything newer. */
  readonly updates: Map<Flight, Pick<Note, 'base' | 'current'>>
}

/** What is known of the responses to the requests of a key: to itself, and to the pages of its list. */
const notesOf = new WeakMap<Entry, Map<string, Note>>()

/**
 * Returns the class with HTTP's own rules for all of its endpoints: those of `http`.
 *
 * @example
 * ```ts
 * const Api = withHttp(RestEndpoint, { cache: true, etag: true, ifMatch: 'update' })
 * const TodoResource = resource({ path: '/todos/:id', schema: Todo, Endpoint: Api })
 * ```
 * @throws OptionError in development for an invalid or unknown option
 */
export function withHttp<Class extends typeof RestEndpoint>(Base: Class, options: HttpOptions): Class {
  // A class that a function extends takes any arguments; what it returns is what it was given, with one part more.
  const Parent = Base as unknown as typeof RestEndpoint
  const part = http(options)
  return class HttpEndpoint extends Parent {
    static override readonly parts: readonly RequestPart[] = [part]
  } as unknown as Class
}

/**
 * Creates a part with HTTP's own rules: freshness by `Cache-Control`, revalidation by `ETag`, and updates that overwrite nobody else's
 * changes by `If-Match`. It is for one endpoint or for all requests of a controller; `withHttp` is for a class of endpoints.
 *
 * @remarks
 * It concerns requests of a controller; direct calls are sent as ever. Across origins, `If-None-Match` and `If-Match` cost a preflight,
 * and the server must expose the header: `Access-Control-Expose-Headers: ETag, Age, Expires`. Of several, the last one counts: the
 * endpoint's, else the class's, else the controller's.
 *
 * @example
 * ```ts
 * const controller = new Controller({ parts: [http({ cache: true })] })
 * const getReport = new RestEndpoint({ path: '/report', parts: [http({ cache: true, etag: true })] })
 * ```
 * @throws OptionError in development for an invalid or unknown option
 */
export function http(options: HttpOptions): RequestPart {
  if (process.env.NODE_ENV !== 'production') checkOptions(options)
  const { cache, etag, ifMatch, onConflict } = options
  /** The headers of the response to a request. */
  const headersOf = new WeakMap<PartRequest, HeaderOf>()
  /** What is known of the row that a request has changed, and the fields that it has sent. */
  const updatedBy = new WeakMap<PartRequest, { readonly note: Note; readonly mine: StoredFields | undefined }>()
  /** Wall clock in ms until when a response may be shown although refreshing it fails. */
  const shownOnError = new WeakMap<Times, number>()
  return {
    name: 'http',
    isOnly: true,

    async exchange({ request: flight, input, init }, send) {
      if (!(flight instanceof Flight)) return send(init)
      const { isMutation, owner, requestKey } = flight
      if (isMutation) {
        if (ifMatch === undefined || !/^(?:PUT|PATCH|DELETE)$/.test(init.method ?? '')) return send(init)
        const url = String(input)
        const known = owner.store.entriesOf(`GET ${url}`).map((entry) => noteOf(entry))
        const note = known.find((one) => one?.row)
        if (process.env.NODE_ENV !== 'production' && note?.current === undefined) warnOfNoValidator(flight)
        return note === undefined ? send(init) : update(flight, note, { url, init, send })
      }
      const note = etag ? noteOf(entryOf(flight), requestKey) : undefined
      const asked = validatorOf(note)
      // The browser's own cache would turn a 304 into the response that it has.
      let response = await send(
        asked === undefined ? init : { ...withHeader(init, 'if-none-match', asked), cache: 'no-store' },
      )
      if (asked !== undefined && response.status === 304) {
        // A sweep may have dropped meanwhile what it says again.
        if (validatorOf(note) === undefined) response = await send(init)
        // There is a note, of which it was asked.
        else flight.answer = { change: (note as Note).change, of: response }
      }
      if (response.ok || flight.answer) headersOf.set(flight, readerOf(response))
      return response
    },

    /** Stale data outlives an error if the server has allowed that: then it is soft, and the data is shown until that time is over. */
    failed(error, { response }) {
      const isTheirs = httpStatus(error) >= 500 || error instanceof TransportError || error instanceof TimeoutError
      const shownUntil = isTheirs && response && shownOnError.get(response)
      return shownUntil ? { shownUntil } : undefined
    },

    /** Before anybody takes its times over, as the results that `also` writes do. */
    read(request, { response }) {
      const header = headersOf.get(request)
      if (!cache || header === undefined || request.endpoint.dataExpiryLength !== undefined) return
      const { date } = response
      const { freshFor, shownFor = Infinity, errorFor, mustRevalidate } = lifetimeOf(header, date)
      if (freshFor !== undefined) response.expiresAt = date + freshFor
      response.shownUntil = mustRevalidate ? response.expiresAt : date + shownFor
      if (errorFor !== undefined) shownOnError.set(response, date + errorFor)
    },

    wrote(request, received) {
      // Only flights write.
      wrote(request as Flight, received as FlightReceived)
    },
  }

  function wrote(flight: Flight, { response, change }: FlightReceived): void {
    const { requestKey, owner, key, endpoint, args } = flight
    const updated = updatedBy.get(flight)
    const header = headersOf.get(flight)
    if (updated !== undefined) {
      const { note, mine } = updated
      note.base = storedFields(note, owner.store.base)
      // Those that wait are of the same user, who has seen this one.
      for (const seen of note.updates.values()) seen.base = { ...seen.base, ...mine }
      note.updates.delete(flight)
    }
    if (header === undefined || change === undefined) return
    const entry = entryOf(flight)
    // A response that was overtaken says nothing of what the table has.
    if (entry.response !== response) return
    const known = noteOf(entry, requestKey)
    const tag = etagOf(header) ?? (flight.answer && known?.etag)
    const { schema } = endpoint
    const { result, results } = change
    const row = isEntity(schema) ? owner.store.infos.of(schema).kind.rows.get(result as string) : undefined
    const note: Note = known ?? { call: { endpoint, args, key }, row, change, base: {}, updates: new Map() }
    note.change = change
    // Updaters of other results see what these are now, so they cannot be repeated.
    note.etag = results.size > 0 ? undefined : tag
    // A mutation that completed later has told more.
    if (row !== undefined && (row.mutated?.done ?? 0) < response.start) {
      note.current = strongTag(tag)
      note.base = storedFields(note, owner.store.base)
    }
    notesOf.set(entry, (notesOf.get(entry) ?? new Map<string, Note>()).set(requestKey, note))
  }

  /** Sends a change of a row with its validator, after those that were sent before. */
  function update(flight: Flight, note: Note, { url, init, send }: Sendable): Promise<Response> {
    const { method = '', signal } = init
    const mine = bodyOf(init)
    // Of the first attempt: a read may bring something newer before it is sent, or sent again.
    const seen = note.updates.get(flight) ?? { current: note.current, base: note.base }
    for (const other of note.updates.keys()) if (other.isOver) note.updates.delete(other)
    note.updates.set(flight, seen)
    let sentBy: string | undefined
    const sendBy = (by: string | undefined, changed = init): Promise<Response> => {
      sentBy = by
      return send(withHeader(changed, 'if-match', by))
    }

    const sent = Promise.resolve(note.tail).then(async () => {
      const { current, base } = note
      // Only now there is a validator.
      if (seen.current === undefined) Object.assign(seen, { current, base })
      const isOvertaken = current !== undefined && current !== seen.current
      let response = await (isOvertaken ? rebase() : sendBy(current))
      if (sentBy !== undefined && response.status === 412)
        response = await rebase(new NetworkError(response, { url, method }))
      if (!response.ok && flight.answer === undefined) return response
      // What was given up has told nothing.
      updatedBy.set(flight, { note, mine: flight.answer ? undefined : mine })
      if (flight.answer) return response
      note.current = strongTag(etagOf(readerOf(response)))
      // The next one may be sent before this response is written.
      for (const its of note.updates.values()) if (its.current === sentBy) its.current = note.current
      return response
    })
    // Nothing of the response stays.
    const over = (): void => {}
    note.tail = sent.then(over, over)
    return sent

    /** Fetches the row, on which the layer is replayed, and sends mine again unless both have changed the same. */
    async function rebase(cause?: Error): Promise<Response> {
      // Notes are of endpoints of this class. With a batch, it would be one of many rows, without a validator.
      const call = { ...note.call, endpoint: (note.call.endpoint as RestEndpoint).extend({ batch: undefined }) }
      // A request that was in flight may have been older than theirs.
      for (let tries = 0; tries < 2 && note.current === sentBy; tries++) {
        await new Promise((settle, fail) => {
          const why: Cause = { type: 'retry', by: flight.start }
          flight.owner.join(call, { settle, fail, signal: signal ?? undefined, cause: why })
        })
      }
      const { base } = seen
      const theirs = storedFields(note, flight.owner.store.base)
      const conflict = new ConflictError(method, url, { base, mine, theirs }, { cause })
      let next = mine && method !== 'DELETE' ? joined(base, mine, theirs, method === 'PUT') : undefined
      if (next === undefined) {
        const resolution = await (async () => onConflict?.(conflict))().catch((reason) => {
          throw new CallbackError('onConflict', conflict.url, { cause: reason })
        })
        if (resolution === 'drop') {
          const nothing = Response.error()
          flight.answer = { change: note.change, of: nothing }
          return nothing
        }
        if (resolution !== 'retry' && !isPlain(resolution)) throw conflict
        next = resolution === 'retry' ? mine : { ...(method === 'PUT' ? mine : undefined), ...resolution }
      }
      const again = next === mine ? init : { ...init, body: JSON.stringify(next) }
      const response = await sendBy(note.current, again)
      if (cause !== undefined && response.status === 412) throw conflict
      return response
    }
  }
}

function entryOf({ owner, key, endpoint }: Flight): Entry {
  return owner.store.entry(key, endpoint.schema)
}

/** Without a request key it is that of the whole result. */
function noteOf(entry: Entry, requestKey = entry.row.pk): Note | undefined {
  return notesOf.get(entry)?.get(requestKey)
}

/** A request for a change, and what sends it with other options. */
interface Sendable {
  readonly url: string
  readonly init: RequestInit
  send(init: RequestInit): Promise<Response>
}

/** Tells, once for each endpoint, that a change may overwrite somebody else's. */
function warnOfNoValidator({ owner, endpoint }: Flight): void {
  owner.options.warn(
    `${safeUrl(endpoint.name ?? '')} is sent without If-Match, so it may overwrite what somebody else has changed: only a row that was fetched ` +
      'from its own URL with a strong ETag has a validator, not one that came with a list. Fetch it before it is edited.',
  )
}

/** Mine with what they have changed, or undefined if both have changed the same fields to different values. */
function joined(
  base: StoredFields,
  mine: StoredFields,
  theirs: StoredFields,
  isWhole: boolean,
): StoredFields | undefined {
  const next: Record<string, unknown> = { ...mine }
  for (const [field, value] of Object.entries(mine)) {
    const before = base[field]
    const now = theirs[field]
    if (equal(before, now) || equal(value, now)) continue
    // A relation is a primary key in the table and may be anything in a body.
    if (!equal(value, before) || typeof value !== typeof now) return undefined
    if (isWhole) next[field] = now
    else delete next[field]
  }
  return next
}

/** The validator to ask with: none if the table has dropped rows that the response wrote, which a 304 would not bring back. */
function validatorOf(note: Note | undefined): string | undefined {
  const isKept = ({ gcEpoch }: { readonly gcEpoch: number }): boolean => gcEpoch !== REMOVED
  const { rows, lists } = note?.change ?? {}
  return rows?.every(isKept) && lists?.every(({ row }) => isKept(row)) ? note?.etag : undefined
}

function storedFields({ row }: Note, base: (row: RecordRow) => RecordRow['value']): StoredFields {
  const value = row && base(row)
  return isThere(value) ? value : {}
}

/** The fields of a JSON body; undefined for any other. */
function bodyOf({ body }: RequestInit): StoredFields | undefined {
  try {
    const fields: unknown = JSON.parse(String(body))
    return isPlain(fields) && !Array.isArray(fields) ? (fields as StoredFields) : undefined
  } catch {
    return undefined
  }
}

// --- headers

/** 0 for errors of other kinds. */
function httpStatus(error: unknown): number {
  return error instanceof NetworkError ? error.status : 0
}

function withHeader(init: RequestInit, name: string, value: string | undefined): RequestInit {
  if (value === undefined) return init
  const headers = new Headers(init.headers)
  // What the application says itself wins.
  if (!headers.has(name)) headers.set(name, value)
  return { ...init, headers }
}

function readerOf(response: { readonly headers: Headers }): HeaderOf {
  return (name) => headerOf(response, name) ?? undefined
}

/** The validator of a response; undefined for what is none. */
function etagOf(header: HeaderOf): string | undefined {
  const tag = header('etag')
  return tag && /^(?:W\/)?"[!#-~\x80-\xff]*"$/.test(tag) ? tag : undefined
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
