import type { Schema } from '../schema/schema.js'
import type { Wire } from './wire.js'

/** The default of `eventIdHeader`. */
export const EVENT_ID_HEADER = 'x-event-id'

/** The options of `live`. */
export interface LiveOptions {
  /** The name of the source in errors and developer tools. */
  readonly name: string
  /**
   * The URL of the stream for the arguments of a call. Calls with the same URL share one connection.
   *
   * @example live({ name: 'todos', url: ({ projectId }) => `/events?project=${projectId}`, wire: sse(), messages: { changed: Todo } })
   */
  // biome-ignore lint/suspicious/noExplicitAny: the arguments are those of the endpoint with this source, which is unknown here; unknown would refuse `({ projectId }) => …`.
  readonly url: string | ((...args: any[]) => string)
  /** How messages travel: `sse()`, or any function that yields them. */
  readonly wire: Wire
  /** Headers of each connection, such as a token; evaluated for each connection. */
  readonly headers?: (() => HeadersInit | Promise<HeadersInit>) | undefined
  /**
   * The meaning of messages by their names. An entity writes its rows, `push` of a Collection also adds them to every
   * list that they belong to, `Invalidate` deletes them, and the endpoint's own schema replaces its data.
   */
  readonly messages: Readonly<Record<string, Schema>>
  /**
   * The header in which the endpoint's responses name the last event that they include, and streams the event after
   * which they begin.
   *
   * @default 'x-event-id'
   */
  readonly eventIdHeader?: string | undefined
  /**
   * `'id'` if the server always resumes after `Last-Event-ID`, so it need not say so.
   *
   * @default undefined: a stream that does not confirm that it resumes may have a gap, so mounted data is refetched
   * once
   */
  readonly resume?: 'id' | undefined
  /**
   * The maximum number of rows that wait for a frame before reading stops.
   *
   * @default 20_000
   */
  readonly maxBuffer?: number | undefined
  /**
   * How long the server may be silent before the connection counts as lost, in ms.
   *
   * @default 45_000
   */
  readonly silence?: number | undefined
  /**
   * How often the endpoint is fetched while the source is `connecting` or `waiting`, in ms.
   *
   * @default undefined: never
   */
  readonly fallbackPoll?: number | undefined
}
