import type { PartRequest, Received, RequestPart } from '../endpoint/options.js'
import type { Change } from '../table/change.js'
import { isThere } from '../table/value.js'
import { CreationError } from '../util/errors.js'
import { withTexts } from '../util/texts.js'
import type { Flight, FlightReceived } from './flight.js'
import { placeholderOf } from './store.js'

/** A key of a row that its creator's optimistic response has created: the number is that of the creator. */
const TEMPORARY = /^optimistic:(\d+)(?::\d+)?$/

/** So many keys are remembered for those who come late: a component that has not rendered since, or an address of a page. */
const MOST = 1_000

/** A request that names rows whose creation is pending. */
interface Waiting {
  /** The temporary keys that it waits for. */
  readonly names: Set<string>
  readonly ready: Promise<void>
  go(): void
  fail(error: Error): void
}

/** Temporary keys never go over the wire: a request that names one waits for its creation, and is sent with the real key. */
export class TemporaryKeys implements RequestPart {
  readonly name = 'temporary keys'
  readonly #flights: ReadonlySet<Flight>
  /** What temporary keys have become: the real key, or why there is none. */
  readonly #known = new Map<string, string | number | CreationFailure>()
  readonly #waiting = new Map<Flight, Waiting>()

  constructor(flights: ReadonlySet<Flight>) {
    this.#flights = flights
  }

  /** False if no request can name a temporary key. */
  get isNeeded(): boolean {
    return this.#flights.size > 0 || this.#known.size > 0
  }

  /** Before the parts are told, a flight gets the keys that are known; it waits for others. */
  hold(flight: Flight): void {
    const names = new Set<string>()
    flight.args = this.#replaced(flight, (name) => {
      if (this.#creatorOf(name) !== undefined) names.add(name)
    })
    if (names.size === 0) return
    let go = (): void => {}
    let fail = (_: Error): void => {}
    const ready = new Promise<void>((resolve, reject) => {
      go = resolve
      fail = reject
    })
    // It may be over before it waits.
    ready.catch(() => {})
    this.#waiting.set(flight, { names, ready, go, fail })
  }

  async request(request: PartRequest, next: () => Promise<unknown>): Promise<unknown> {
    const flight = request as Flight
    const waiting = this.#waiting.get(flight)
    if (waiting === undefined) return next()
    await waiting.ready
    this.#waiting.delete(flight)
    flight.heldUntil = flight.owner.store.sequence.now
    return next()
  }

  /** The keys are replaced before the response is written, so that the layers of those who wait run with the real ones in its commit. */
  read(request: PartRequest, received: Received): void {
    const flight = request as Flight
    const { change } = received as FlightReceived
    if (flight.expected === undefined || change === undefined) return
    for (const [name, key] of realKeys(flight, flight.expected, change)) this.#remember(name, key)
    this.#tell()
  }

  settled(request: PartRequest, error: Error | undefined): void {
    const flight = request as Flight
    this.#waiting.delete(flight)
    if (flight.layer === undefined) return
    for (const { pk } of flight.expected?.rows ?? []) {
      const isLost = isOf(flight, pk) && !this.#known.has(pk)
      if (isLost) this.#remember(pk, new CreationFailure(flight.key, error))
    }
    this.#tell()
  }

  /** Those who wait go on once they have all keys. Those who never get one show nothing more, and fail. */
  #tell(): void {
    for (const [flight, { names, go, fail }] of this.#waiting) {
      const found = [...names].filter((name) => this.#known.has(name))
      if (found.length === 0) continue
      if (flight.layer !== undefined) flight.layer.dirty = true
      try {
        flight.args = this.#replaced(flight)
      } catch (error) {
        flight.isLost = true
        // `#replaced` throws nothing else.
        fail(error as CreationError)
        continue
      }
      for (const name of found) names.delete(name)
      if (names.size === 0) go()
    }
  }

  /** The arguments with real keys; other temporary ones are told. */
  #replaced({ args, key }: Flight, onOther?: (name: string) => void): readonly unknown[] {
    return withTexts(args, (text) => {
      if (!TEMPORARY.test(text)) return text
      const known = this.#known.get(text)
      if (known instanceof CreationFailure) throw new CreationError(key, text, known.creation, { cause: known.error })
      if (known === undefined) onOther?.(text)
      return known ?? text
    })
  }

  #creatorOf(name: string): Flight | undefined {
    const start = Number(TEMPORARY.exec(name)?.[1])
    for (const flight of this.#flights) if (flight.start === start && flight.isMutation) return flight
    return undefined
  }

  #remember(name: string, outcome: string | number | CreationFailure): void {
    this.#known.set(name, outcome)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest)
  }
}

/** Why a temporary key has become none. */
class CreationFailure {
  /** The fetch key of the request. */
  readonly creation: string
  /** Undefined if it succeeded, and its response does not tell the key. */
  readonly error: Error | undefined

  constructor(creation: string, error: Error | undefined) {
    this.creation = creation
    this.error = error
  }
}

function isOf({ start }: Flight, pk: string): boolean {
  return pk === placeholderOf(start) || pk.startsWith(`${placeholderOf(start)}:`)
}

/** The real keys of the rows that a request has created: what stands in the response where the optimistic one has temporary keys. */
function realKeys(flight: Flight, expected: Change, actual: Change): Map<string, string | number> {
  const keys = new Map<string, string | number>()
  const compare = (before: unknown, after: unknown): void => {
    if (typeof before === 'string') {
      if (typeof after !== 'string' || keys.has(before) || !isOf(flight, before)) return
      const row = expected.rows.find(({ pk }) => pk === before)
      const created = row && actual.rows.find(({ pk, home }) => pk === after && home === row.home)
      const record = created && actual.written(created)
      keys.set(before, keyAsSent(record, after))
      compare(row && expected.written(row), record)
    } else if (isObject(before) && isObject(after)) {
      for (const name of Object.keys(before)) compare(before[name], after[name])
    }
  }
  compare(expected.result, actual.result)
  return keys
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** A key as the server writes it: the table has texts. */
function keyAsSent(record: unknown, pk: string): string | number {
  const { id } = (isThere(record) ? record : {}) as { readonly id?: unknown }
  return typeof id === 'number' && `${id}` === pk ? id : pk
}
