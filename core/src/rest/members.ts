import type { Content } from './generics.js'

/** The members of a `RestEndpoint` whose types do not depend on its generics, so that any subclass may say them anew. */
export interface RestMembers {
  /** The path template. */
  readonly path: string
  /** Goes before the path; may carry a scheme and host. */
  readonly urlPrefix: string
  /** The HTTP method. */
  readonly method: string
  /** True if no override of `fetch`, `parseResponse` or `process` has seen what a call resolves with. */
  readonly transfers: boolean
  /** Options for every `fetch`. */
  readonly requestInit?: RequestInit | undefined
  /** Hears what a request is sent with, right before. */
  onSend?(init: RequestInit): void
  /** How the body of an answer is read; by its content-type if it is undefined. */
  readonly content?: Content | undefined
  /** The search param that asks for another page. */
  readonly paginationField?: string | undefined
  /** The path that `move` asks; its own if it is undefined. */
  readonly movePath?: string | undefined
  /** More options for `push`, `unshift`, `assign`, `remove` and `move`. */
  readonly mutationOptions?: object | undefined
}
