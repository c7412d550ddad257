import { isInline, type ListArgs, type ListMembers, type RowRecord } from '../schema/schema.js'
import { HydrationError } from '../util/errors.js'
import { isPlain, put } from '../util/plain.js'
import type { Dehydrated } from './state.js'
import { decodeValue, lengthen } from './values.js'

/** Rows of one kind from one response in a state. */
export interface ReadRows {
  readonly kind: string
  readonly response: number
  readonly pks: readonly string[]
  /** The records of the rows; undefined for deleted rows. */
  readonly records: readonly RowRecord[] | undefined
}

/** A list in a state. */
export interface ReadList {
  readonly kind: string
  readonly response: number
  readonly pk: string
  readonly args: ListArgs
  readonly members: ListMembers
  readonly pages: readonly StatePage[]
  /** False if it refers to rows that were not loaded, as for a result. */
  readonly isWhole: boolean
}

/** A page of a list in a state. */
export interface StatePage {
  readonly cursor: string
  readonly order: number | undefined
  readonly rank: number
  readonly members: ListMembers
  readonly came: ListMembers
}

/** The result of a key in a state, or the error of its request. */
export interface ReadResult {
  readonly key: string
  readonly response: number
  readonly form: string
  readonly value?: unknown
  /** False if it refers to rows that were not loaded. */
  readonly isWhole?: boolean
  readonly error?: { readonly facts: object; readonly policy: 'soft' | undefined }
}

/** A checked copy of a state. */
export interface ReadState {
  /** Unix ms at which it was made in advance; undefined if it was made for this request. */
  readonly madeAt: number | undefined
  readonly responses: readonly { readonly age: number; readonly lifetime: number }[]
  readonly rows: readonly ReadRows[]
  readonly lists: readonly ReadList[]
  readonly results: readonly ReadResult[]
}

/**
 * Checks a whole dehydrated state before any of it is written, and returns a copy.
 *
 * @throws HydrationError if it has another version or buster, or another shape than the result of `dehydrate`
 */
export function readState(json: unknown, buster: string): ReadState {
  const state = json as Dehydrated
  need(isPlain(state) && !Array.isArray(state), 'is not an object')
  need(state.v === 3, `is of version ${String(state.v)}, this library reads version 3`)
  need(state.buster === buster, `was made for buster '${String(state.buster)}', this is '${buster}'`)
  const { madeAt } = state
  need(madeAt === undefined || isCount(madeAt))
  const { results, ...rest } = readParts(state)
  const errors = state.errors.map(([key, response, form, facts, isSoft]): ReadResult => {
    checkOrigin(rest, key, response)
    need(isString(form) && isPlain(facts))
    return { key, response, form, error: { facts, policy: isSoft ? 'soft' : undefined } }
  })
  return { madeAt, ...rest, results: [...results, ...errors] }
}

/** The parts of a state that a device also stores. */
export type StateParts = Pick<Dehydrated, 'responses' | 'shapes' | 'rows' | 'lists' | 'results' | 'marks' | 'moves'>

/**
 * Checks these parts and returns copies.
 *
 * @throws HydrationError if they have another shape
 */
export function readParts(state: StateParts): Omit<ReadState, 'madeAt'> {
  const responses = state.responses.map(([age, lifetime]) => {
    need(isCount(age) && (lifetime === null || isCount(lifetime)))
    return { age, lifetime: lifetime ?? Infinity }
  })
  need(state.shapes.every((fields) => fields.every(isString)))
  const rows = state.rows.map(([kind, response, shape, pks, all]): ReadRows => {
    const fields = shape === null ? null : state.shapes[shape]
    checkOrigin({ responses }, kind, response)
    need(kind !== '' && fields !== undefined && pks.every(isKey))
    return { kind, response, pks, records: readRecords(fields, pks, all) }
  })
  const lists = state.lists.map(([kind, response, pk, args, members, pages, isWhole]): ReadList => {
    checkOrigin({ responses }, kind, response)
    const decoded = decodeValue(args)
    need(isString(pk) && isPlain(decoded) && !Array.isArray(decoded))
    return {
      kind,
      response,
      pk,
      args: decoded as ListArgs,
      members: decodeMembers(members),
      pages: pages.map(([cursor, order, rank, of, came]) => {
        need(isString(cursor) && isCount(rank) && (order === null || typeof order === 'number'))
        const now = decodeMembers(lengthen(of, members))
        const arrived = came === undefined ? now : decodeMembers(lengthen(came, members))
        return { cursor, order: order ?? undefined, rank, members: now, came: arrived }
      }),
      isWhole: isWhole === 1,
    }
  })
  const results = state.results.map(([key, response, form, value, isWhole]): ReadResult => {
    checkOrigin({ responses }, key, response)
    need(isString(form))
    return { key, response, form, value: decodeValue(value), isWhole: isWhole === 1 }
  })
  return { responses, rows, lists, results }
}

/** Checks the first two items of a tuple, which are a name and a response. */
function checkOrigin({ responses }: Pick<ReadState, 'responses'>, name: unknown, response: number): void {
  need(isString(name) && responses[response] !== undefined)
}

function need(isRight: boolean, reason = 'has another shape than dehydrate() gives'): asserts isRight {
  if (!isRight) throw new HydrationError(reason)
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isKey(value: unknown): value is string {
  return isString(value) && value !== ''
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

/** Reads records. Each starts as a copy of an empty one, since adding fields one by one takes twice as long. */
function readRecords(
  fields: readonly string[] | null,
  { length }: readonly string[],
  all: readonly (readonly unknown[])[],
): readonly RowRecord[] | undefined {
  if (fields === null) return undefined
  need(all.length === length)
  const empty: Record<string, unknown> = {}
  for (const field of fields) put(empty, field, undefined)
  return all.map((values) => {
    need(values.length === fields.length)
    const record = { ...empty }
    for (let i = 0; i < values.length; i++) {
      const value = values[i]
      record[fields[i] as string] = typeof value === 'object' && value !== null ? decodeValue(value) : value
    }
    return record
  })
}

/** Returns the members of a list that `encodeValue` has encoded. */
export function decodeMembers(encoded: unknown): ListMembers {
  // Most members are keys.
  if (Array.isArray(encoded) && encoded.every(isString)) return [...encoded]
  const members = decodeValue(encoded)
  need(Array.isArray(members) || members instanceof Map)
  // A member that is no reference, such as a number, would never be found.
  for (const ref of members.values())
    if (!isString(ref)) need(isInline(ref) || (isPlain(ref) && isString((ref as { readonly id?: unknown }).id)))
  return members as ListMembers
}
