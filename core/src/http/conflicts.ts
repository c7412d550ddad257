import type { Cause } from '../cause.js'
import type { PartRequest } from '../endpoint/options.js'
import type { Flight } from '../engine/flight.js'
import { NetworkError } from '../rest/network-error.js'
import type { RestEndpoint } from '../rest/rest-endpoint.js'
import { equal } from '../util/equal.js'
import { CallbackError } from '../util/errors.js'
import { isPlain } from '../util/plain.js'
import { safeUrl } from '../util/safe-url.js'
import { ConflictError, type StoredFields } from './conflict-error.js'
import { etagOf, readerOf, strongTag, withHeader } from './headers.js'
import { type Note, noteFor, storedFields } from './notes.js'

/** The resolution of a conflict: send mine over theirs, drop mine, or send these fields. */
export type Resolution = 'retry' | 'drop' | StoredFields

/** Sends changes of rows with the validator of their base version, so that they do not overwrite other users' changes. */
export interface Conflicts {
  /** Called when a change starts. It is based on the version that its user sees then, even if it waits. */
  begin(flight: Flight): void
  exchange(flight: Flight, url: string, init: RequestInit, send: Send): Promise<Response>
  /** Called after the response to a change was written. */
  wrote(flight: Flight): void
}

type Send = (init: RequestInit) => Promise<Response>

/** Returns the part that sends changes with `If-Match`. */
export function conflicts(
  onConflict: ((conflict: ConflictError) => Resolution | Promise<Resolution>) | undefined,
): Conflicts {
  /** The note of the row that a request has changed, and the fields that it sent. */
  const updatedBy = new WeakMap<PartRequest, { readonly note: Note; readonly mine: StoredFields | undefined }>()
  return {
    begin(flight) {
      const note = noteFor(flight, flight.key.replace(/^[A-Z]+ /, ''))
      if (note?.current !== undefined) note.updates.set(flight, { current: note.current, base: note.base })
    },

    exchange(flight, url, init, send) {
      if (!/^(?:PUT|PATCH|DELETE)$/.test(init.method ?? '')) return send(init)
      const note = noteFor(flight, url)
      if (process.env.NODE_ENV !== 'production' && note?.current === undefined) warnOfNoValidator(flight)
      return note === undefined ? send(init) : update(flight, note, { url, init, send })
    },

    wrote(flight) {
      const updated = updatedBy.get(flight)
      if (updated === undefined) return
      const { note, mine } = updated
      const before = note.base
      note.base = storedFields(note, flight.owner.store.base)
      // The waiting changes are those of the same user, who has seen this one. Those based on the same version now have its
      // response, which may be the first one with a validator.
      for (const seen of note.updates.values()) seen.base = seen.base === before ? note.base : { ...seen.base, ...mine }
      note.updates.delete(flight)
    },
  }

  /** Sends a change of a row with its validator, after the previous ones. */
  function update(flight: Flight, note: Note, { url, init, send }: Sendable): Promise<Response> {
    const { method = '', signal } = init
    const mine = bodyOf(init)
    // The version at the first attempt, since a read may renew it before the request is sent or repeated.
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
      // The validator is known only now.
      if (seen.current === undefined) Object.assign(seen, { current, base })
      const isOvertaken = current !== undefined && current !== seen.current
      let response = await (isOvertaken ? rebase() : sendBy(current))
      if (sentBy !== undefined && response.status === 412)
        response = await rebase(new NetworkError(response, { url, method }))
      if (!response.ok && flight.answer === undefined) return response
      // Dropped fields were not sent.
      updatedBy.set(flight, { note, mine: flight.answer ? undefined : mine })
      if (flight.answer) return response
      note.current = strongTag(etagOf(readerOf(response)))
      // The next change may be sent before this response is written.
      for (const its of note.updates.values()) if (its.current === sentBy) its.current = note.current
      return response
    })
    // The response is dropped.
    const over = (): void => {}
    note.tail = sent.then(over, over)
    return sent

    /** Fetches the row, replays the layer on it, and sends mine again unless both have changed the same fields. */
    async function rebase(cause?: Error): Promise<Response> {
      // Notes belong to endpoints of this class. In a batch, the row would be one of many, without a validator.
      const call = { ...note.call, endpoint: (note.call.endpoint as RestEndpoint).extend({ batch: undefined }) }
      // A request already in flight may be older than theirs.
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

/** A request for a change, and the function that sends it with other options. */
interface Sendable {
  readonly url: string
  readonly init: RequestInit
  readonly send: Send
}

/** Warns, once per endpoint, that a change may overwrite another user's. */
function warnOfNoValidator({ owner, endpoint }: Flight): void {
  owner.options.warn(
    `${safeUrl(endpoint.name ?? '')} is sent without If-Match, so it may overwrite somebody else's change: only a row that was fetched ` +
      'from its own URL with a strong ETag has a validator, not a row from a list. Fetch it before editing.',
  )
}

/** Returns mine merged with their changes; undefined if both have changed the same fields to different values. */
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

/** Returns the fields of a JSON body; undefined for other bodies. */
function bodyOf({ body }: RequestInit): StoredFields | undefined {
  try {
    const fields: unknown = JSON.parse(String(body))
    return isPlain(fields) && !Array.isArray(fields) ? (fields as StoredFields) : undefined
  } catch {
    return undefined
  }
}
