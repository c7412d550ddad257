import type { Controller } from '../client/controller.js'
import { newestOf } from '../commit/merge.js'
import type { Entry, KeyError } from '../engine/entry.js'
import type { Store } from '../engine/store.js'
import type { EntityInterface, RowRecord } from '../schema/schema.js'
import { rowsBelow } from '../table/refs.js'
import type { Kind, ListNode, Row } from '../table/row.js'
import { isThere, type MarkedSince, type ResponseInfo, TOMBSTONE } from '../table/value.js'
import type { Env } from '../util/env.js'
import { equal } from '../util/equal.js'
import { hostOf, portableForm } from './host.js'
import {
  type AgeTuple,
  type Dehydrated,
  type ErrorTuple,
  type ListTuple,
  type PageTuple,
  type ResultTuple,
  UNDATED,
} from './state.js'
import { encodeValue } from './values.js'

/** The options of `dehydrate`. */
export interface DehydrateOptions {
  /**
   * Which fetch keys are dehydrated, with the rows that they lead to.
   *
   * @default all keys, and all rows
   */
  readonly include?: ((key: string) => boolean) | undefined
  /**
   * `'redact'` keeps the name, the code and the status of errors, but not their messages; `'omit'` leaves errors out, so that the
   * browser fetches again at once.
   *
   * @default 'redact'
   */
  readonly errors?: 'redact' | 'omit' | undefined
  /**
   * A text that must be the same in `hydrate`, such as the version of the application: a page that was made by another version is
   * not read.
   *
   * @default ''
   */
  readonly buster?: string | undefined
  /**
   * False leaves out what was hydrated into this controller: whoever sent it also sends it to the browser.
   *
   * @default true
   */
  readonly hydrated?: boolean | undefined
  /**
   * True for a page that is made in advance, such as by a build: the state notes when it was made, and is as old as that when a
   * browser hydrates it. What is out of date by then is shown, and fetched again once.
   *
   * @default false
   */
  readonly isStatic?: boolean | undefined
}

/**
 * Returns the server state of a controller as plain data for `hydrate`: rows, lists, results and errors, without optimistic changes
 * and without what was invalidated and is not shown. Ages are durations, so the clocks of server and browser may differ.
 *
 * @example
 * ```ts
 * const controller = new Controller({ server: true })
 * await controller.fetch(getTodos)
 * const html = toScript(dehydrate(controller))
 * ```
 */
export function dehydrate(controller: Controller, options: DehydrateOptions = {}): Dehydrated {
  return dehydrateParts(controller, options)() ?? new Draft(hostOf(controller).runtime.env).state(options)
}

/**
 * Returns a function that dehydrates what was stored since its last call; undefined if there is nothing new. For pages that are
 * streamed.
 *
 * @example
 * ```ts
 * const controller = new Controller({ server: true })
 * const next = dehydrateParts(controller)
 * await controller.fetch(getTodos)
 * const part = next() // the todos
 * next() // → undefined
 * ```
 */
export function dehydrateParts(
  controller: Controller,
  { include, errors, hydrated = true, ...options }: DehydrateOptions = {},
): () => Dehydrated | undefined {
  const { env, store } = hostOf(controller).runtime
  const known = new Map<object, unknown>()
  /** True if a row's value or a key's response was not dehydrated before. */
  const isNew = (owner: object, value: unknown, { start }: { readonly start: number }): boolean =>
    // What was hydrated started between two sequence numbers.
    (hydrated || Number.isInteger(start)) && known.get(owner) !== value && known.set(owner, value) && true
  return () => {
    const draft = new Draft(env, store.base)
    const wanted = include && new Set<Row>()
    /** Rows that a result leads to which is shown: also such as are older than a mark that hides what is older. */
    const shown = new Set<Row>()
    for (const entry of store.entries.values()) {
      if (include?.(entry.key) === false) continue
      const rows = rowsBelow(entry.schema, store.base(entry.row), store.rowOf)
      if (wanted) {
        // Also what schemas that show all rows lead to.
        for (const row of rowsBelow(entry.schema, store.base(entry.row), store.rowOf, store.table.keysOf))
          wanted.add(row)
      }
      const { response, error } = entry
      const oldest = Math.min(response?.start ?? Infinity, error?.start ?? Infinity)
      const marks = store.staleness.of(entry, oldest, () => rows)
      if (response !== undefined) {
        if (marks.invalid <= response.start) for (const row of rows) shown.add(row)
        // A mutation's update writes another value, and leaves the response.
        const isOther = isNew(entry.row, store.base(entry.row), response)
        if (isNew(entry, response, response) || isOther) draft.addResult(entry, response, { rows, ...marks })
      }
      const since = Math.max(response?.start ?? 0, marks.stale, marks.invalid + 1)
      if (error !== undefined && errors !== 'omit' && error.start >= since && isNew(error, error, error))
        draft.addError(entry, error)
    }
    const addAll = (kinds: Iterable<Kind>, add: (row: Row, info: ResponseInfo, isStale: boolean) => void): void => {
      for (const kind of kinds) {
        for (const row of kind.rows.values()) {
          const info = newestOf(row)
          if (info === undefined || wanted?.has(row) === false || !kind.isAlive(row)) continue
          const { stale = 0, invalid = 0 } = row.marks ?? {}
          const hidden = Math.max(invalid, kind.invalid)
          const value = store.base(row)
          // A view that has taken the place of a record since says nothing new.
          if (value === row.view && equal({ ...(known.get(row) as object | undefined) }, { ...(value as object) }))
            continue
          if (value === undefined || (hidden > info.start && !shown.has(row)) || !isNew(row, value, info)) continue
          add(row, info, Math.max(stale, kind.stale, hidden) > info.start)
        }
      }
    }
    addAll(store.table.kinds.values(), (row, info, isStale) => draft.addRow(row, info, isStale))
    const isLoaded = ([{ key }, pk]: MemberName): boolean => store.base(store.table.kind(key).row(pk)) !== undefined
    // The rows of a kind of lists are lists.
    addAll(store.table.lists.values(), (row, info, isStale) => draft.addList(row as ListNode, info, isStale, isLoaded))
    return draft.isEmpty ? undefined : draft.state(options)
  }
}

/** The entity of a list's member, and its primary key. */
type MemberName = readonly [entity: EntityInterface, pk: string]

/** What a state tells of a response or an error. */
type ResponseFacts = Pick<ResponseInfo, 'start' | 'date' | 'expiresAt' | 'at'> & Partial<ResponseInfo>

/** A response whose place among the others is not known yet. */
interface OpenResponse {
  readonly order: number
  readonly tuple: AgeTuple
  at: number
}

/** A tuple of a state whose second item is still the response itself. */
type Open<Tuple extends readonly unknown[]> = Tuple extends readonly [infer First, number, ...infer Rest]
  ? [First, OpenResponse, ...Rest]
  : never

/** Rows with the same fields from one response; each row is an array of its key and its values. */
type RowGroup = [kind: string, response: OpenResponse, shape: number | null, rows: [string, ...unknown[]][]]

/** What becomes a state. */
class Draft {
  readonly #env: Pick<Env, 'now' | 'mono'>
  readonly #base: Store['base']
  /** Read when there is something to date: frameworks that render in advance allow no clock before. */
  #time: { readonly now: number; readonly mono: number } | undefined
  readonly #responses = new Map<object, Map<boolean, OpenResponse>>()
  /** Indexes of shapes, by their fields as text. */
  readonly #shapes = new Map<string, number>()
  readonly #rows: RowGroup[] = []
  readonly #lists: Open<ListTuple>[] = []
  readonly #results: Open<ResultTuple>[] = []
  readonly #errors: Open<ErrorTuple>[] = []

  constructor(env: Pick<Env, 'now' | 'mono'>, base: Store['base'] = (row) => row.value) {
    this.#base = base
    this.#env = env
  }

  get isEmpty(): boolean {
    return this.#responses.size === 0
  }

  state({ buster = '', isStatic }: DehydrateOptions): Dehydrated {
    const dated = [...this.#responses.values()].flatMap((of) => [...of.values()]).sort((a, b) => a.order - b.order)
    dated.forEach((response, at) => {
      response.at = at
    })
    // A response is replaced by its index; of every other item the type is right.
    const closed = <Tuple>(tuples: readonly (readonly [unknown, OpenResponse, ...unknown[]])[]): Tuple[] =>
      tuples.map(([first, { at }, ...rest]) => [first, at, ...rest] as Tuple)
    return {
      v: 1,
      buster,
      ...(isStatic && { madeAt: this.#env.now() }),
      responses: dated.map(({ tuple }) => tuple),
      shapes: [...this.#shapes.keys()].map((fields) => JSON.parse(fields)),
      rows: closed(this.#rows),
      lists: closed(this.#lists),
      results: closed(this.#results),
      errors: closed(this.#errors),
    }
  }

  addResult(
    entry: Entry,
    response: ResponseInfo,
    { rows, stale, invalid }: MarkedSince & { readonly rows: ReadonlySet<Row> },
  ): void {
    const value = this.#base(entry.row)
    if (value === undefined || invalid > response.start) return
    const isWhole = [...rows].every((row) => this.#base(row) !== undefined)
    const dated = this.#dated(response, stale > response.start)
    this.#results.push([entry.key, dated, portableForm(entry.form), encodeValue(value), isWhole ? 1 : 0])
  }

  /** What is told of an error says nothing of the server. */
  addError({ key, form }: Entry, error: KeyError): void {
    const { name, code, status } = error.error as Error & { readonly code?: unknown; readonly status?: unknown }
    const dated = this.#dated(error, false)
    this.#errors.push([key, dated, portableForm(form), { name, code, status }, error.policy === undefined ? 0 : 1])
  }

  /** Rows that follow each other and came together share a tuple: their order stays, and their fields are named once. */
  addRow(row: Row, info: ResponseInfo, isStale: boolean): void {
    // The rows of a kind of entity hold records.
    const record = this.#base(row) as RowRecord | typeof TOMBSTONE
    const response = this.#dated(info, isStale)
    const shape = record === TOMBSTONE ? null : this.#shapeOf(Object.keys(record))
    const kind = row.home.key
    const last = this.#rows.at(-1)
    const [of, by, named, rows = []] = last ?? []
    const group = of === kind && by === response && named === shape ? rows : []
    if (group !== rows || last === undefined) this.#rows.push([kind, response, shape, group])
    group.push([row.pk, ...(record === TOMBSTONE ? [] : Object.values(record).map(encodeValue))])
  }

  #shapeOf(fields: readonly string[]): number {
    const text = JSON.stringify(fields)
    const known = this.#shapes.get(text) ?? this.#shapes.size
    this.#shapes.set(text, known)
    return known
  }

  addList(row: ListNode, info: ResponseInfo, isStale: boolean, isLoaded: (member: MemberName) => boolean): void {
    const value = this.#base(row)
    if (!isThere(value)) return
    const { args, members, pages = [] } = value
    const isPaged = pages.length > 1 || pages.some(({ cursor }) => cursor !== '{}')
    const starts = pages.map(({ first }) => first).sort((a, b) => a - b)
    const paged = pages.map(
      (page): PageTuple => [page.cursor, page.order ?? null, starts.indexOf(page.first), encodeValue(page.members)],
    )
    const dated = this.#dated(info, isStale)
    const isWhole = [...row.membersIn(value)].every(isLoaded) ? 1 : 0
    this.#lists.push([
      row.home.key,
      dated,
      row.pk,
      encodeValue(args),
      encodeValue(members),
      isPaged ? paged : [],
      isWhole,
    ])
  }

  #dated(info: ResponseFacts, isStale: boolean): OpenResponse {
    const known = this.#responses.get(info) ?? new Map<boolean, OpenResponse>()
    this.#responses.set(info, known)
    const { date, expiresAt, at, start, done, mutation } = info
    const lifetime = isStale ? 0 : expiresAt - date
    this.#time ??= { now: this.#env.now(), mono: this.#env.mono() }
    // By the clock that says more: one stops while a machine sleeps, the other may be set back.
    const passed = Math.max(this.#time.mono - at, this.#time.now - date)
    const age = date === UNDATED ? 0 : Math.max(0, Math.ceil(passed))
    const dated = known.get(isStale) ?? {
      order: mutation ? (done ?? start) : start,
      tuple: [age, lifetime === Infinity ? null : lifetime],
      at: 0,
    }
    known.set(isStale, dated)
    return dated
  }
}
