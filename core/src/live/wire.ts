import type { Env } from '../util/env.js'

/** A message of a live source. */
export interface LiveMessage {
  /**
   * Its name in the `messages` of `live()`. With the name `opened`, a server says that the stream begins after the
   * event `id`. Without a name nothing is written, but the other members count.
   */
  readonly type?: string | undefined
  /** The data, as the schema of its name describes it. */
  readonly data?: unknown
  /** The event that the stream has reached: after a reconnect, the server learns of it and can send later events. */
  readonly id?: string | undefined
  /** The shortest pause before the next connection from then on, in ms. */
  readonly retry?: number | undefined
}

/** A connection for a wire to make. */
export interface WireContext {
  readonly url: string
  /** The headers that the source has just evaluated. */
  readonly headers: Headers
  /** The event after which the stream should resume; undefined if none is known. */
  readonly lastEventId: string | undefined
  /** The response header that names the event after which a stream begins. */
  readonly eventIdHeader: string
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal
  readonly env: Env
  /** Performs HTTP calls: the controller's transport, or the global `fetch`. */
  send(url: string, init: RequestInit): Promise<Response>
  /** Reports the error of an unreadable message. The stream continues. */
  report(error: Error): void
  /**
   * Call it once the server has accepted the connection, if a proxy may buffer its stream. If nothing arrives for ten
   * seconds, the status becomes `waiting`.
   */
  awaitByte(): void
}

/**
 * Connects to a server, and yields messages as they arrive, until the connection ends or fails. An empty list keeps
 * the connection alive.
 *
 * @remarks
 * The source reconnects after an end, and after any error except a `LiveRefusedError`. The `Retry-After` of a
 * `NetworkError` is the shortest pause.
 *
 * @example
 * ```ts
 * const clock: Wire = async function* ({ signal, env }) {
 *   while (!signal.aborted) {
 *     await new Promise<void>((resolve) => env.setTimeout(resolve, 1_000))
 *     yield [{ type: 'tick', data: { id: 'clock', now: env.now() } }]
 *   }
 * }
 * ```
 */
export type Wire = (context: WireContext) => AsyncIterable<readonly LiveMessage[]>
