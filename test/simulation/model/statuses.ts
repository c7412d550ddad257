import type { Target } from '../domain.js'

/** What is known of one key beside its data. */
interface Key {
  /** The start of its newest answer. */
  answered: number
  /** When that came, by both clocks. */
  came: { readonly now: number; readonly mono: number }
  /** When it was invalidated last, unless an answer has come since. */
  invalid: number
  error:
    | {
        readonly start: number
        /** By the wall clock, which may jump, and by the monotonic one: whichever comes first. */
        readonly expiresAt: number
        readonly monoExpiresAt: number
        readonly isSoft: boolean | undefined
        readonly error: Error
      }
    | undefined
  /** A failure that was older than the error: after a reconnection, which drops errors, it is the one that counts. */
  older?: Error | undefined
}

interface Clock {
  now(): number
  mono(): number
}

/** A naive second opinion on what a query that is mounted may show: ready, failed or pending. */
export class Statuses {
  readonly #keys = new Map<string, Key>()
  /** When all keys of an endpoint were invalidated last: that counts for keys, too, that are first heard of later. */
  readonly #allInvalid = new Map<Target['read'], number>()

  /** When rows were invalidated last: what stands on them, the model does not know. */
  #invalidBy = 0
  /** When anything was expired or invalidated last: from then on an error from before keeps nothing from being asked for. */
  #expired = 0
  /** The latest time that was ever seen. */
  #latest = 0

  answered(target: Target, start: number, clock: Clock): void {
    const key = this.#key(target)
    if (start < key.answered) return
    key.answered = start
    key.came = { now: clock.now(), mono: clock.mono() }
    // What was invalidated while this was under way may be shown, though not for long.
    key.invalid = 0
    if (key.error !== undefined && key.error.start < start) key.error = undefined
  }

  /** An older failure replaces nothing newer. */
  failed(target: Target, error: NonNullable<Key['error']>): void {
    const key = this.#key(target)
    const isNewest = error.start >= Math.max(key.answered, key.error?.start ?? 0)
    key.older = isNewest ? undefined : error.error
    if (isNewest) key.error = error
  }

  invalidated(target: Target, time: number): void {
    this.#key(target).invalid = time
    this.#expired = time
  }

  invalidatedAll(read: Target['read'], time: number): void {
    this.#allInvalid.set(read, time)
    this.#expired = time
    for (const [name, key] of this.#keys) if (name.startsWith(`{"read":"${read}"`)) key.invalid = time
  }

  invalidatedBy(time: number): void {
    this.#invalidBy = time
  }

  /** Something was expired, or an edit may have made it stale: what stands on it, the model does not know. */
  expired(time: number): void {
    this.#expired = time
  }

  dropped(error: Error): void {
    for (const key of this.#keys.values()) if (key.error?.error === error) key.error = undefined
  }

  reset(): void {
    this.#invalidBy = 0
    this.#expired = 0
    this.#keys.clear()
    this.#allInvalid.clear()
  }

  /** What may be shown now; several where it depends on when the query last had reason to ask. */
  of(target: Target, hasData: boolean, clock: Clock): readonly string[] {
    const statuses = this.#of(target, hasData, clock)
    return this.#key(target).answered < this.#invalidBy ? [...statuses, 'pending'] : statuses
  }

  /** True if its answer is older than so many ms, and nothing newer is known of it. */
  isOver(target: Target, length: number, clock: Clock): boolean {
    const { answered, came, error, invalid } = this.#key(target)
    if (answered === 0 || error !== undefined || invalid > 0) return false
    return clock.now() >= came.now + length || clock.mono() > came.mono + length
  }

  /** What may be told as the last error: one that counts, however old it is. */
  errorsOf(target: Target, hasData: boolean, isDropped: boolean): readonly (Error | undefined)[] {
    const { answered, invalid, error, older } = this.#key(target)
    if (error === undefined || error.start <= Math.max(answered, invalid)) return [undefined]
    // Rows of other answers may be younger, and so may what was expired or invalidated with them.
    const isCertain = answered > 0 || !hasData
    const isHidden = hasData && error.isSoft !== false
    return isCertain && !isHidden && error.start >= this.#expired && error.start >= this.#invalidBy
      ? [error.error]
      : [error.error, undefined, ...(isDropped && older !== undefined ? [older] : [])]
  }

  #of(target: Target, hasData: boolean, clock: Clock): readonly string[] {
    // Once a query has seen that an error is over, a clock that jumps back does not bring it back.
    this.#latest = Math.max(this.#latest, clock.now())
    const { answered, invalid, error } = this.#key(target)
    const isInferred = answered === 0
    const data = hasData && invalid === 0 ? 'ready' : 'pending'
    // A mounted reader waits for the key's own answer, as an invalidation says, whether other answers bring its rows
    // changed or as they were. A reader that mounts later is shown rows that are younger than the invalidation.
    const without = isInferred && hasData ? ['ready', 'pending'].slice(0, invalid > 0 ? 2 : 1) : [data]
    const counts = error !== undefined && error.start > answered && error.start > invalid
    if (!counts) return without
    // Nothing watches the time: an error stays until there is reason to look again. Rows of other answers may be
    // younger than it.
    const isOver = this.#latest >= error.expiresAt || clock.mono() >= error.monoExpiresAt
    if (isOver || (isInferred && hasData)) return [...without, 'failed']
    if (error.start < this.#expired) return [...without, 'failed']
    // A soft error leaves what may be shown; one that came while there was nothing stays until there is reason to look
    // again.
    return error.isSoft !== false && hasData ? ['ready', 'failed'] : ['failed']
  }

  #key(target: Target): Key {
    const name = JSON.stringify(target)
    let key = this.#keys.get(name)
    if (key === undefined) {
      key = {
        answered: 0,
        came: { now: 0, mono: 0 },
        invalid: this.#allInvalid.get(target.read) ?? 0,
        error: undefined,
      }
      this.#keys.set(name, key)
    }
    return key
  }
}
