/** The date of data hydrated on a server, where rendering reads no clock: it is fresh, and as old as its state. */
export const UNDATED = 1

/**
 * 0 for a read, 1 for a mutation, an id for one of the outbox; with a minus sign if the mutation cannot have created a
 * row. '' for a read of a list that a mutation changed later.
 */
export type MutationMark = 0 | 1 | -1 | string

/** Returns the mark of a mutation that cannot have created a row. */
export function withoutCreation(mark: MutationMark): MutationMark {
  return typeof mark === 'string' ? `-${mark}` : -1
}

/**
 * Returns the facts of a mutation's mark: the id of one of the outbox, and whether it may have created the row that it
 * wrote.
 */
export function readMark(mark: MutationMark): { readonly id: string | undefined; readonly mayCreate: boolean } {
  const id = typeof mark === 'string' && mark !== '' ? mark.replace(/^-/, '') : undefined
  return { id, mayCreate: !`${mark}`.startsWith('-') }
}

/**
 * A response: its age when the state was made, and its lifetime, in ms; null for ever. In a device's log also its position
 * among the responses of other tabs: the last record that the requesting tab knew, the mutation mark, and in a summary its
 * own record.
 */
export type AgeTuple = readonly [
  age: number,
  lifetime: number | null,
  since?: number,
  mutation?: MutationMark,
  record?: number,
]

/**
 * Rows of one kind with the same fields from one response: their keys, and the values of each row. The shape is the index
 * of their fields, or null for deleted rows, which have no values.
 */
export type RowsTuple = readonly [
  kind: string,
  response: number,
  shape: number | null,
  pks: readonly string[],
  records: readonly (readonly unknown[])[],
]

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

/**
 * The members that a mutation has added to lists of a Collection, removed from them or moved between them. The lists
 * that it changed are in the same state. `isFirst` is 1 for additions at the start.
 */
export type MoveTuple = readonly [
  kind: string,
  response: number,
  op: 'add' | 'remove' | 'move',
  isFirst: 0 | 1,
  members: readonly unknown[],
]

/**
 * A page of a list; `rank` orders pages by their first requests. Members that follow one another in the list are a pair of
 * places there. `came` are those in the response, if they are others than those that the page has now.
 */
export type PageTuple = readonly [cursor: string, order: number | null, rank: number, members: unknown, came?: unknown]

/** The stored result of a key, with primary keys for rows; `isWhole` is 0 if it refers to rows that were not loaded. */
export type ResultTuple = readonly [key: string, response: number, form: string, value: unknown, isWhole: 0 | 1]

/** The error of a key's last request: its public facts, and 1 if it was soft. */
export type ErrorTuple = readonly [key: string, response: number, form: string, facts: object, isSoft: 0 | 1]

/** A mark from before the state was made, on a row or on all rows of a kind: older data is stale, or is not shown. */
export type MarkTuple = readonly [kind: string, pk: string | null, response: number, isInvalid: 0 | 1]

/**
 * The server state of a controller as plain data: each row once, without its field names, and results as primary keys. JSON
 * can represent it if all stored values are JSON. Its content may change with the version `v`.
 */
export interface Dehydrated {
  readonly v: 3
  readonly buster: string
  /** Unix ms at which it was made in advance. The browser adds the time since then to ages. */
  readonly madeAt?: number
  /** The responses that wrote everything else, in order. Other tuples refer to them by index. */
  readonly responses: readonly AgeTuple[]
  /** The names of the fields of rows. */
  readonly shapes: readonly (readonly string[])[]
  /** The rows in the order of the table. */
  readonly rows: readonly RowsTuple[]
  readonly lists: readonly ListTuple[]
  readonly results: readonly ResultTuple[]
  readonly errors: readonly ErrorTuple[]
  /** The marks; only in states that a device stores, since other states contain no response older than a mark. */
  readonly marks?: readonly MarkTuple[]
  /** The members that mutations have moved; only in states that a device stores. */
  readonly moves?: readonly MoveTuple[]
}
