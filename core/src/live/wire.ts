import type { Env } from '../util/env.js'

/** A message of a live source. */
export interface LiveMessage {
  /**
   * Its name in the `messages` of `live()`. `opened` is the name of the message by which a server says that the stream begins behind the
   * event `id`. Without one nothing is written, and the other members count.
   */
  readonly type?: string | undefined
  /** The data, as the schema of its name describes it. */
  readonly data?: unknown
  /** The event that the stream has reached by it: after a cut the server is told, and can send later events. */
  readonly id?: string | undefined
  /** The shortest pause before the next connection from then on, in ms. */
  readonly retry?: number | undefined
}

/** A connection that a wire is to make. */
export interface WireContext {
  readonly url: string
  /** The headers that the source has just been given. */
  readonly headers: Headers
  /** The event after which the stream is to go on; undefined if none is known. */
  readonly lastEventId: string | undefined
  /** The response header that says where a stream begins. */
  readonly eventIdHeader: string
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal
  readonly env: Env
  /** Performs HTTP calls: the controller's transport, or the global `fetch`. */
  send(url: string, init: RequestInit): Promise<Response>
  /** Takes the error of a message that cannot be read. The stream goes on. */
  report(error: Error): void
  /**
   * The server has accepted the connection, and its stream is to come. If nothing comes for ten seconds, the source counts as `waiting`:
   * a proxy may hold the stream back.
   */
  awaitByte(): void
}

/**
 * Connects to a server, and yields messages as they come until the connection ends or fails. An empty list is a sign of life.
 *
 * @remarks
 * The source connects again after an end and after any error except a `LiveRefusedError`. The `Retry-After` of a `NetworkError` is the
 * shortest pause.
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
