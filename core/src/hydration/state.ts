/** The date of data that was hydrated on a server, where rendering reads no clock: it is in date, and not older than its state. */
export const UNDATED = 1

/** 0 for a read, 1 for a mutation; one of the outbox by its id. Empty for the read of a list whose members a mutation has changed since. */
export type MutationMark = 0 | 1 | string

/**
 * A response: its age when the state was made, and how long it is fresh, in ms; null for ever. In what a device stores also its place among
 * the responses of other tabs: the last record that its requester knew, whether it is of a mutation, and in a summary the record that it came in.
 */
export type AgeTuple = readonly [
  age: number,
  lifetime: number | null,
  since?: number,
  mutation?: MutationMark,
  record?: number,
]

/**
 * Rows of one kind with the same fields, which one response wrote: of each its key and its values, one after the other. The shape is the index
 * of their fields, null for rows that were deleted.
 */
export type RowsTuple = readonly [kind: string, response: number, shape: number | null, values: readonly unknown[]]

/** A list: its arguments, its members, and its pages if there are several; `isWhole` means the same as in a result. */
export type ListTuple = readonly [
  kind: string,
  response: number,
  pk: string,
  args: unknown,
  members: unknown,
  pages: readonly PageTuple[],
  isWhole: 0 | 1,
]

/** A page of a list; `rank` orders pages by the moment at which they were first requested. */
export type PageTuple = readonly [cursor: string, order: number | null, rank: number, members: unknown]

/** The stored result of a key, with primary keys for rows; `isWhole` is 0 if it refers to rows that nobody has loaded. */
export type ResultTuple = readonly [key: string, response: number, form: string, value: unknown, isWhole: 0 | 1]

/** The error of a key's last request: its public facts, and 1 if it was soft. */
export type ErrorTuple = readonly [key: string, response: number, form: string, facts: object, isSoft: 0 | 1]

/** A mark from before the state was made, on a row or on all rows of a kind: older data is stale, or is not shown. */
export type MarkTuple = readonly [kind: string, pk: string | null, response: number, isInvalid: 0 | 1]

/**
 * The server state of a controller as plain data: each row once, without its field names, and results as primary keys. JSON keeps
 * it, as long as all values that were stored are JSON. Its content may change with the version `v`.
 */
export interface Dehydrated {
  readonly v: 2
  readonly buster: string
  /** The Unix ms at which it was made, if that was in advance: ages count from then on, by two clocks. */
  readonly madeAt?: number
  /** The responses that wrote all else, in their order; the others refer to them by index. */
  readonly responses: readonly AgeTuple[]
  /** The names of the fields of rows. */
  readonly shapes: readonly (readonly string[])[]
  /** In the order in which the table has them. */
  readonly rows: readonly RowsTuple[]
  readonly lists: readonly ListTuple[]
  readonly results: readonly ResultTuple[]
  readonly errors: readonly ErrorTuple[]
  /** Only in the states that a device stores: a new state has no response that is older than a mark. */
  readonly marks?: readonly MarkTuple[]
}
