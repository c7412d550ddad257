import type { PartRequest } from '../endpoint/options.js'
import type { Messages } from './frame.js'
import type { Wire } from './wire.js'

/** The facts known from the requests of a key. */
export interface KeyFacts {
  /** Its requests in flight, each with the gapless stretch of the stream during which it began. */
  readonly flights: Map<PartRequest, object | undefined>
  /** The last event that its newest response includes. */
  eventId: string | undefined
  /** The stretch of the stream since which its data has no gap. */
  stretch: object | undefined
}

/** The options of a connection. */
export interface ConnectionOptions {
  readonly name: string
  readonly url: string
  readonly wire: Wire
  readonly headers: (() => HeadersInit | Promise<HeadersInit>) | undefined
  readonly messages: Messages
  readonly eventIdHeader: string
  readonly resumesById: boolean
  readonly maxBuffer: number
  readonly silence: number
  readonly fallbackPoll: number | undefined
  factsOf(key: string): KeyFacts
  /** Called when the status changes. */
  onStatus(): void
  /** Called when it has ended for good. */
  onClose(): void
}
