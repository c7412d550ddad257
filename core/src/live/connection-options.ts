import type { PartRequest } from '../endpoint/options.js'
import type { Messages } from './frame.js'
import type { Wire } from './wire.js'

/** The facts that the requests of a key have told. */
export interface KeyFacts {
  /** Its requests in flight, and the stretch of the stream during which each began. */
  readonly flights: Map<PartRequest, object | undefined>
  /** The event up to which its newest response knows all. */
  eventId: string | undefined
  /** The stretch of the stream from which on nothing is missing in it. */
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
  /** The status is another. */
  onStatus(): void
  /** It has ended for good. */
  onClose(): void
}
