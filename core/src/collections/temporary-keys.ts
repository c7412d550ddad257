import type { KeyReplacer, NetworkRequest } from '../commit/list-engine.js'
import type { RowRecord } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import { isThere } from '../table/value.js'
import { isObject } from '../util/equal.js'
import { CreationError } from '../util/errors.js'
import { withTexts } from '../util/texts.js'

/** Matches the temporary key of a row, which contains the label of the request that creates the row. */
const TEMPORARY = /^optimistic:([\w-]+)(?::\d+)?$/

/** The number of keys kept for late uses, such as by a component that has not rendered since, or by a page's URL. */
const MOST = 1_000

/** The continuation of a request that names rows whose creation is pending; undefined until it waits. */
interface Waiting {
  go?(): void
  fail?(error: Error): void
}

/** The reason why a temporary key has no real key: the fetch key of the creation, and its error if it failed. */
interface CreationFailure {
  readonly creation: string
  readonly error: Error | undefined
}

/** Keeps temporary keys off the wire: a request that names one waits for the creation, and is sent with the real key. */
export class TemporaryKeys implements KeyReplacer<NetworkRequest> {
  readonly name = 'temporary keys'
  readonly #flights: ReadonlySet<NetworkRequest>
  /** The real key of each temporary key, or the failure of its creation. */
  readonly #outcomes = new Map<string, string | number | CreationFailure>()
  readonly #waiting = new Map<NetworkRequest, Waiting>()

  constructor(flights: ReadonlySet<NetworkRequest>) {
    this.#flights = flights
  }

  /** False if no request can name a temporary key. */
  get isNeeded(): boolean {
    return this.#flights.size > 0 || this.#outcomes.size > 0
  }

  /** Replaces known keys before other parts read the arguments, and makes the flight wait for the others. */
  hold(flight: NetworkRequest): void {
    // Usually there is no other request, and none has created a row.
    const mayName = this.#flights.size > 1 || this.#outcomes.size > 0
    if (mayName && this.#replace(flight)) this.#waiting.set(flight, {})
  }

  async request(flight: NetworkRequest, next: () => Promise<unknown>): Promise<unknown> {
    if (this.#waiting.has(flight)) {
      const keys = new Promise<void>((go, fail) => {
        this.#waiting.set(flight, { go, fail })
        // The creation may have ended by now.
        this.#tell()
      })
      await flight.waitFor(keys)
      this.#waiting.delete(flight)
    }
    return next()
  }

  /** Replaces keys before the response is written, so that layers of waiting requests use the real ones in its commit. */
  read(flight: NetworkRequest, { change }: { readonly change: Change | undefined }): void {
    if (flight.expected === undefined || change === undefined) return
    flight.createdKeys = realKeys(flight, flight.expected, change)
    for (const [name, key] of flight.createdKeys) this.#remember(name, key)
    this.#tell()
  }

  settled(flight: NetworkRequest, error: Error | undefined): void {
    this.#waiting.delete(flight)
    if (flight.layer === undefined) return
    for (const { pk } of flight.expected?.rows ?? []) {
      const isLost = creationOf(pk) === `${flight.label}` && !this.#outcomes.has(pk)
      if (isLost) this.#remember(pk, { creation: flight.key, error })
    }
    this.#tell()
  }

  /** Continues waiting requests that have all keys. Requests whose keys will never exist fail, and lose their layers. */
  #tell(): void {
    for (const [flight, { go, fail }] of this.#waiting) {
      const { args, layer } = flight
      try {
        if (!this.#replace(flight)) go?.()
      } catch (error) {
        flight.isLost = true
        // `#replace` throws only this error.
        fail?.(error as CreationError)
      }
      if (layer !== undefined && (flight.isLost || flight.args !== args)) layer.dirty = true
    }
  }

  realArgs(args: readonly unknown[]): readonly unknown[] {
    return withTexts(args, (text) => {
      const outcome = this.#outcomes.get(text)
      return typeof outcome === 'object' ? text : (outcome ?? text)
    })
  }

  /** Puts real keys into the arguments. Returns true if there are temporary keys whose creation is pending. */
  #replace(flight: NetworkRequest): boolean {
    let isPending = false
    flight.args = withTexts(flight.args, (text) => {
      const label = creationOf(text)
      if (label === undefined) return text
      const outcome = this.#outcomes.get(text)
      if (outcome !== undefined && typeof outcome !== 'object') return outcome
      for (const other of this.#flights) {
        if (`${other.label}` !== label || !other.isMutation) continue
        isPending = true
        return text
      }
      if (outcome) throw new CreationError(flight.key, text, outcome.creation, { cause: outcome.error })
      return text
    })
    return isPending
  }

  #remember(name: string, outcome: string | number | CreationFailure): void {
    this.#outcomes.set(name, outcome)
    const [oldest] = this.#outcomes.keys()
    if (this.#outcomes.size > MOST && oldest !== undefined) this.#outcomes.delete(oldest)
  }
}

/** Returns the label of the request that creates the row of a temporary key; undefined for other texts. */
function creationOf(text: string): string | undefined {
  return TEMPORARY.exec(text)?.[1]
}

/** Returns the real keys of created rows, found in the places of the optimistic response's temporary keys. */
function realKeys(flight: NetworkRequest, expected: Change, actual: Change): Map<string, string | number> {
  const keys = new Map<string, string | number>()
  const compare = (before: unknown, after: unknown): void => {
    if (typeof before === 'string') {
      if (typeof after !== 'string' || keys.has(before) || creationOf(before) !== `${flight.label}`) return
      const row = expected.rows.find(({ pk }) => pk === before)
      const created = row && actual.rows.find(({ pk, home }) => pk === after && home === row.home)
      const record = created && actual.written(created)
      keys.set(before, keyAsSent(record, after))
      compare(row && expected.written(row), record)
    } else if (isObject(before) && isObject(after)) {
      for (const [name, inner] of Object.entries(before)) compare(inner, (after as RowRecord)[name])
    }
  }
  compare(expected.result, actual.result)
  return keys
}

/** Returns a key in the server's type, since the table has texts. */
function keyAsSent(record: unknown, pk: string): string | number {
  const { id } = (isThere(record) ? record : {}) as { readonly id?: unknown }
  return typeof id === 'number' && `${id}` === pk ? id : pk
}
