import type { EndpointInterface } from '../endpoint/options.js'
import type { ListMembers } from '../schema/schema.js'
import type { Row } from '../table/row.js'
import type { PageRequest } from './entry.js'
import type { Layer } from './layer.js'

/** Somebody who waits for a flight. */
export interface Passenger {
  /** Takes what the flight brought, worked out right after its commit; undefined if nobody looks at data. */
  readonly land: (landing: Landing) => void
  /** Hears why the flight failed, or why the passenger had to leave. */
  readonly fail: (error: Error) => void
  readonly signal: AbortSignal | undefined
  /** True for a poll, which nobody waits for. */
  readonly isPoll?: boolean
  /** Stops listening to the signal. */
  dispose: () => void
}

/** What a flight brought. */
export interface Landing {
  /** What `process` returned. */
  readonly data: unknown
  /** What the table keeps in its place; undefined if it was empty and nothing was written. */
  readonly result: unknown
  /** What a deletion named, as it was before; not there if the schema deletes nothing. */
  readonly gone?: (() => unknown) | undefined
  /** True if `result` was written. */
  readonly isWritten: boolean
  /** The members of the page that it was, by the list that they joined; undefined for a list as a whole. */
  readonly page?: ReadonlyMap<Row, ListMembers> | undefined
}

/**
 * What tells reads under way apart: where their result is kept, and for a page, which is kept where its list is, also which page it is.
 *
 * @example rideOf(getTodos.getPage, [{ page: 2 }], 'GET /todos') // 'GET /todos [{"page":2}]'
 */
export function rideOf(endpoint: EndpointInterface, args: readonly unknown[], id: string): string {
  return endpoint.requestKey === undefined ? id : `${id} ${endpoint.requestKey(...(args as never))}`
}

/** One request under way. Its id is its start in the one order of the store. */
export class Flight {
  readonly start: number
  readonly key: string
  readonly endpoint: EndpointInterface
  readonly args: readonly unknown[]
  readonly isMutation: boolean
  readonly ride: string
  readonly abort: AbortController = new AbortController()
  readonly passengers: Set<Passenger> = new Set()
  /** The optimistic answer, while it is pending. */
  layer: Layer | undefined = undefined
  timer: unknown = undefined
  /** What it was sent with, where its endpoint says so. */
  sent: RequestInit | undefined = undefined
  isOver = false
  /** What else is asked for once this is there: the further pages of a list that is refreshed. */
  further: readonly PageRequest[] = []
  /** Start of the read that refreshes all pages of the list; 0 where one page was asked for by itself. */
  refresh = 0

  constructor(start: number, key: string, endpoint: EndpointInterface, args: readonly unknown[], ride: string) {
    this.start = start
    this.key = key
    this.endpoint = endpoint
    this.args = args
    this.isMutation = endpoint.sideEffect === true
    this.ride = ride
  }
}
