import { isInline, type ListArgs, type ListMembers, type RowRecord } from '../schema/schema.js'
import { TOMBSTONE } from '../table/value.js'
import { HydrationError } from '../util/errors.js'
import { isPlain, put } from '../util/plain.js'
import type { Dehydrated } from './state.js'
import { decodeValue } from './values.js'

/** A row that a state carries. */
export interface ReadRow {
  readonly kind: string
  readonly response: number
  readonly pk: string
  readonly record: RowRecord | typeof TOMBSTONE
}

/** A list that a state carries. */
export interface ReadList {
  readonly kind: string
  readonly response: number
  readonly pk: string
  readonly args: ListArgs
  readonly members: ListMembers
  readonly pages: readonly StatePage[]
  /** As that of a result. */
  readonly isWhole: boolean
}

/** A page of such a list. */
export interface StatePage {
  readonly cursor: string
  readonly order: number | undefined
  readonly rank: number
  readonly members: ListMembers
}

/** The result of a key that a state carries, or the error that its request ended with. */
export interface ReadResult {
  readonly key: string
  readonly response: number
  readonly form: string
  readonly value?: unknown
  /** False if it refers to rows that nobody had loaded. */
  readonly isWhole?: boolean
  readonly error?: { readonly facts: object; readonly policy: 'soft' | undefined }
}

/** A checked state: it shares nothing with the given one. */
export interface ReadState {
  /** Unix ms; undefined if it was made for this page. */
  readonly madeAt: number | undefined
  readonly responses: readonly { readonly age: number; readonly lifetime: number }[]
  readonly rows: readonly ReadRow[]
  readonly lists: readonly ReadList[]
  readonly results: readonly ReadResult[]
}

/**
 * Checks a dehydrated state, all of it before anything is written.
 *
 * @throws HydrationError if it is of another version, of another buster, or not what `dehydrate` returns
 */
export function readState(json: unknown, buster: string): ReadState {
  const state = json as Dehydrated
  need(isPlain(state) && !Array.isArray(state), 'is not an object')
  need(state.v === 1, `is of version ${String(state.v)}, this library reads version 1`)
  need(state.buster === buster, `was made for buster '${String(state.buster)}', this is '${buster}'`)
  const { madeAt } = state
  need(madeAt === undefined || isCount(madeAt))
  const responses = state.responses.map(([age, lifetime]) => {
    need(isCount(age) && (lifetime === null || isCount(lifetime)))
    return { age, lifetime: lifetime ?? Infinity }
  })
  const rows: ReadRow[] = []
  /** The first two items of all tuples are a name and a response. */
  const check = (name: unknown, response: number): void => need(isString(name) && responses[response] !== undefined)
  need(state.shapes.every((fields) => fields.every(isString)))
  for (const [kind, response, shape, values] of state.rows) {
    const fields = shape === null ? null : state.shapes[shape]
    check(kind, response)
    need(kind !== '' && fields !== undefined)
    const decode = fields === null ? undefined : recordDecoder(fields)
    const length = 1 + (fields?.length ?? 0)
    for (const row of values) {
      const pk = row[0]
      need(isString(pk) && pk !== '' && row.length === length)
      rows.push({ kind, response, pk, record: decode === undefined ? TOMBSTONE : decode(row) })
    }
  }
  const lists = state.lists.map(([kind, response, pk, args, members, pages, isWhole]): ReadList => {
    check(kind, response)
    const decoded = decodeValue(args)
    need(isString(pk) && isPlain(decoded) && !Array.isArray(decoded))
    return {
      kind,
      response,
      pk,
      args: decoded as ListArgs,
      members: decodeMembers(members),
      pages: pages.map(([cursor, order, rank, of]) => {
        need(isString(cursor) && isCount(rank) && (order === null || typeof order === 'number'))
        return { cursor, order: order ?? undefined, rank, members: decodeMembers(of) }
      }),
      isWhole: isWhole === 1,
    }
  })
  const results = state.results.map(([key, response, form, value, isWhole]): ReadResult => {
    check(key, response)
    need(isString(form))
    return { key, response, form, value: decodeValue(value), isWhole: isWhole === 1 }
  })
  const errors = state.errors.map(([key, response, form, facts, isSoft]): ReadResult => {
    check(key, response)
    need(isString(form) && isPlain(facts))
    return { key, response, form, error: { facts, policy: isSoft ? 'soft' : undefined } }
  })
  return { madeAt, responses, rows, lists, results: [...results, ...errors] }
}

function need(isRight: boolean, reason = 'has another shape than dehydrate() gives'): asserts isRight {
  if (!isRight) throw new HydrationError(reason)
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

/**
 * Returns a function that makes records of rows with these fields. Each begins as a copy of an empty one, since an object that gets its
 * fields one by one takes twice as long.
 */
function recordDecoder(fields: readonly string[]): (row: readonly unknown[]) => RowRecord {
  const empty: Record<string, unknown> = {}
  for (const field of fields) put(empty, field, undefined)
  return (row) => {
    const record = { ...empty }
    for (let i = 0; i < fields.length; i++) {
      const value = row[i + 1]
      record[fields[i] as string] = typeof value === 'object' ? decodeValue(value) : value
    }
    return record
  }
}

function decodeMembers(encoded: unknown): ListMembers {
  const members = decodeValue(encoded)
  need(Array.isArray(members) || members instanceof Map)
  // A value that is no reference, such as a number, would never be found.
  for (const ref of members.values())
    need(isString(ref) || isInline(ref) || (isPlain(ref) && isString((ref as { readonly id?: unknown }).id)))
  return members as ListMembers
}
