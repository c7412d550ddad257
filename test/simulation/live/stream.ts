import type { LiveMessage, WireContext } from '@roundtable/core/live'
import type { ServerEvent } from './event-server.js'

interface Batch {
  readonly messages: readonly LiveMessage[]
  readonly events: readonly ServerEvent[]
}

/** A time of the monotonic clock, and a place in the order of requests and messages. */
export interface Moment {
  readonly at: number
  readonly order: number
}

/** One connection of a hand-made wire. */
export class Stream {
  readonly context: WireContext
  /** The last event that was sent; undefined before the server has accepted it. */
  sent: number | undefined = undefined
  /** What the client has taken, and when. */
  readonly taken: (Moment & { readonly event: ServerEvent })[] = []
  readonly #now: () => Moment
  readonly #batches: Batch[] = []
  #end: { readonly error: Error | undefined } | undefined = undefined
  #wake: () => void = () => {}

  constructor(context: WireContext, now: () => Moment) {
    this.context = context
    this.#now = now
  }

  get isOpen(): boolean {
    return this.#end === undefined && !this.context.signal.aborted
  }

  get hasUnread(): boolean {
    return this.#batches.length > 0
  }

  push(messages: readonly LiveMessage[], events: readonly ServerEvent[] = []): void {
    this.#batches.push({ messages, events })
    this.#wake()
  }

  /** The connection ends, or fails. */
  cut(error: Error | undefined): void {
    this.#end = { error }
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly LiveMessage[], void> {
    for (;;) {
      const next = this.#batches.shift()
      if (next !== undefined) {
        for (const event of next.events) this.taken.push({ ...this.#now(), event })
        yield next.messages
      } else if (this.#end !== undefined) {
        if (this.#end.error !== undefined) throw this.#end.error
        return
      } else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
