import type { StateParts } from '../hydration/read-state.js'
import {
  type ListTuple,
  type MarkTuple,
  type MoveTuple,
  type MutationMark,
  type ResultTuple,
  type RowsTuple,
  readMark,
} from '../hydration/state.js'
import { equal } from '../util/equal.js'
import { type Content, endsIn, FOR_SUSPENDED, type KeyMark, type StoredStep } from './record.js'

/** A response that the records of a log refer to. */
interface Dated {
  readonly age: number
  readonly lifetime: number | null
  /** The time at which its record was written, when it had this age. */
  readonly at: number
  /** Its place among the others. */
  readonly order: number
  readonly place: Place
}

/** The place of a response among those of other tabs. */
type Place = readonly [since: number, mutation: MutationMark, number: number]

/** A row. Without names of fields it was deleted. */
interface KeptRow {
  readonly response: number
  readonly fields: readonly string[] | undefined
  readonly record: readonly unknown[] | undefined
}

/**
 * Merges records in order: the latest state of each row, list and result. Rows of another version of the application
 * are dropped, mutations are not: without an outbox, which merges their steps, all of these stay. Deleted rows stay,
 * since a deletion does not change the lists that contained the row.
 */
export function summarize(
  contents: readonly Content[],
  version: string,
  stepsOf: (contents: readonly Content[]) => readonly StoredStep[] = storedSteps,
): Content {
  const merged = new Merged()
  let reset: number | undefined
  for (const content of contents) {
    if (content.reset !== undefined) {
      merged.clear()
      reset = content.reset
    }
    if (content.version === version && isAfter(content, reset)) merged.add(content)
  }
  return {
    version,
    at: merged.at,
    reset,
    keys: merged.keys(),
    state: merged.state(),
    steps: stepsOf(contents),
  }
}

function storedSteps(contents: readonly Content[]): readonly StoredStep[] {
  return contents.flatMap(({ steps = [] }) => steps)
}

/** False for rows of a tab that did not know of the last reset. */
export function isAfter({ knew = Infinity }: Content, reset = 0): boolean {
  return knew >= reset
}

/** The content of several records together. */
class Merged {
  /** The time of the newest record. */
  at = 0
  readonly #responses: Dated[] = []
  readonly #rows = new Map<string, Map<string, KeptRow>>()
  readonly #lists = new Map<string, ListTuple>()
  readonly #results = new Map<string, ResultTuple>()
  readonly #marks = new Map<string, MarkTuple>()
  readonly #keys = new Map<string, KeyMark>()
  /** The mutations that are over. */
  readonly #ended = new Set<string | undefined>()
  readonly #moves = new Map<string, MoveTuple>()

  clear(): void {
    for (const parts of [this.#rows, this.#lists, this.#results, this.#marks, this.#keys, this.#moves]) parts.clear()
  }

  /** The last marks of keys: results know of theirs here, but not those of tabs that sleep. */
  keys(): readonly KeyMark[] {
    return [...this.#keys.values()].slice(-FOR_SUSPENDED)
  }

  add(content: Content): void {
    const { at, marks = [], keys = [], state, number = 0 } = content
    // A clock that was set back does not make data fresher.
    this.at = Math.max(this.at, at)
    const now = this.#response(0, 0, at, [0, 0, number])
    for (const [kind, pk, isInvalid] of marks) this.#mark(kind, pk, now, isInvalid)
    for (const [key, isInvalid, record = number] of keys) {
      this.#end(key, isInvalid)
      const name = `${isInvalid} ${key}`
      this.#keys.delete(name)
      this.#keys.set(name, [key, isInvalid, record])
    }
    if (state !== undefined) this.#addState(state, content, number)
    for (const id of endsIn(content.steps)) this.#ended.add(id)
  }

  #addState(
    { responses, shapes, rows, lists, results, marks = [], moves = [] }: StateParts,
    { at, knew = Infinity, own = [] }: Content,
    number: number,
  ): void {
    const first = this.#responses.length
    for (const [age, lifetime, since = 0, mutation = 0, of = number] of responses)
      this.#response(age, lifetime, at, [since, mutation, of])
    /** True for a response of another tab of which the writer did not know. */
    const isUnread = (existing: number | undefined): existing is number => {
      const of = existing === undefined ? 0 : (this.#responses[existing] as Dated).place[2]
      return of > knew && !own.includes(of)
    }
    // A read that knew less than another tab's is older, also if it was written later. What a mutation has written is
    // as new as its record, unless its end was told before.
    const isOlder = (response: number, existing: number | undefined, isDeleted = false): boolean => {
      if (!isUnread(existing)) return false
      const by = responses[response]?.[3] ?? 0
      const { id, mayCreate } = readMark(by)
      if (by && !this.#ended.has(id)) return isDeleted && !mayCreate
      const [since, mutation, of] = (this.#responses[existing] as Dated).place
      return (mutation === 0 ? since : of) > knew
    }
    for (const [kind, response, shape, pks, records] of rows) {
      const fields = shape === null ? undefined : shapes[shape]
      const kept = this.#rows.get(kind) ?? new Map<string, KeptRow>()
      this.#rows.set(kind, kept)
      pks.forEach((pk, i) => {
        const before = kept.get(pk)
        // Only what may create a row came after its deletion.
        if (!isOlder(response, before?.response, before?.fields === undefined))
          kept.set(pk, { response: first + response, fields, record: records[i] })
      })
    }
    for (const [kind, response, ...rest] of lists) {
      const name = JSON.stringify([kind, rest[0]])
      const kept = this.#lists.get(name)
      if (!isOlder(response, kept?.[1])) this.#lists.set(name, [kind, first + response, ...rest])
      // Only the server knows what the two are together.
      if (isUnread(kept?.[1]) && !equal(kept?.[4], rest[2]))
        this.#mark(kind, rest[0], this.#response(0, 0, at, [0, 0, number]), 0)
    }
    for (const [key, response, ...rest] of results) {
      const name = JSON.stringify([key, rest[0]])
      if (!isOlder(response, this.#results.get(name)?.[1])) this.#results.set(name, [key, first + response, ...rest])
    }
    for (const [kind, pk, response, isInvalid] of marks) this.#mark(kind, pk, first + response, isInvalid)
    for (const [kind, response, op, isFirst, members] of moves) {
      const name = JSON.stringify([kind, members])
      this.#moves.delete(name)
      this.#moves.set(name, [kind, first + response, op, isFirst, members])
    }
  }

  #response(
    age: number,
    lifetime: number | null,
    at: number,
    place: Place,
    order: number = this.#responses.length,
  ): number {
    return this.#responses.push({ age, lifetime, at, place, order }) - 1
  }

  #mark(kind: string, pk: string | null, response: number, isInvalid: 0 | 1): void {
    this.#marks.set(JSON.stringify([kind, pk, isInvalid]), [kind, pk, response, isInvalid])
  }

  /** Expires or invalidates the results of a key. */
  #end(key: string, isInvalid: 0 | 1): void {
    for (const [name, [of, response, ...rest]] of this.#results) {
      if (of !== key) continue
      const { age, at, place, order } = this.#responses[response] as Dated
      if (isInvalid) this.#results.delete(name)
      else this.#results.set(name, [of, this.#response(age, 0, at, place, order), ...rest])
    }
  }

  /** The rest of it; undefined if nothing is left. */
  state(): StateParts | undefined {
    const used = new Set<number>()
    for (const rows of this.#rows.values()) for (const { response } of rows.values()) used.add(response)
    for (const [, response] of [...this.#lists.values(), ...this.#results.values()]) used.add(response)
    if (used.size === 0) return undefined
    // Tabs that have slept for longer ask for their lists.
    const moves = [...this.#moves.values()].slice(-FOR_SUSPENDED)
    for (const [, response] of moves) used.add(response)
    // A mark that is older than all responses concerns nothing.
    const orderOf = (response: number): number => (this.#responses[response] as Dated).order
    let oldest = Infinity
    for (const response of used) oldest = Math.min(oldest, orderOf(response))
    const marks = [...this.#marks.values()].filter(([, , response]) => orderOf(response) >= oldest)
    for (const [, , response] of marks) used.add(response)
    const order = [...used].sort((a, b) => orderOf(a) - orderOf(b) || a - b)
    const places = new Map(order.map((response, i) => [response, i]))
    const placeOf = (response: number): number => places.get(response) as number
    return {
      responses: order.map((response) => {
        const { age, lifetime, at, place } = this.#responses[response] as Dated
        return [age + Math.max(0, this.at - at), lifetime, ...place]
      }),
      ...this.#grouped(placeOf),
      lists: [...this.#lists.values()].map(([kind, response, ...rest]) => [kind, placeOf(response), ...rest]),
      results: [...this.#results.values()].map(([key, response, ...rest]) => [key, placeOf(response), ...rest]),
      marks: marks.map(([kind, pk, response, isInvalid]) => [kind, pk, placeOf(response), isInvalid] as const),
      moves: moves.map(([kind, response, ...rest]) => [kind, placeOf(response), ...rest]),
    }
  }

  /** The rows in the state's format: consecutive rows with the same fields and response share a tuple. */
  #grouped(placeOf: (response: number) => number): Pick<StateParts, 'shapes' | 'rows'> {
    const shapes = new Map<string, number>()
    const shapeOf = (fields: readonly string[]): number => {
      const text = JSON.stringify(fields)
      const shape = shapes.get(text) ?? shapes.size
      shapes.set(text, shape)
      return shape
    }
    const rows: RowsTuple[] = []
    for (const [kind, kept] of this.#rows) {
      let before: KeptRow | undefined
      let [pks, records]: [string[], (readonly unknown[])[]] = [[], []]
      for (const [pk, row] of kept) {
        const { response, fields, record } = row
        // Rows of one response have their fields from one record.
        if (before?.response !== response || before.fields !== fields) {
          ;[pks, records] = [[], []]
          rows.push([kind, placeOf(response), fields ? shapeOf(fields) : null, pks, records])
        }
        before = row
        pks.push(pk)
        if (record !== undefined) records.push(record)
      }
    }
    return { shapes: [...shapes.keys()].map((text) => JSON.parse(text) as string[]), rows }
  }
}
