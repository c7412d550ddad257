import type { Entry, KeyError } from '../engine/entry.js'
import type { Store } from '../engine/store.js'
import {
  type EntityInterface,
  isEntity,
  type ListMembers,
  type Member,
  type MembershipChange,
  pkOfRef,
  type Schema,
} from '../schema/schema.js'
import { eachRelation, eachRow } from '../table/refs.js'
import {
  type EntityRow,
  type Kind,
  type ListNode,
  type ListPage,
  type ListValue,
  originOf,
  type Row,
  type TableRow,
} from '../table/row.js'
import { isThere, type MarkedSince, type ResponseInfo } from '../table/value.js'
import type { Env } from '../util/env.js'
import { closed, type OpenResponse } from './open-response.js'
import { portableForm } from './portable-form.js'
import { type RunOf, ShapedRows } from './shaped-rows.js'
import {
  type Dehydrated,
  type ErrorTuple,
  type ListTuple,
  type MoveTuple,
  type MutationMark,
  type PageTuple,
  type ResultTuple,
  UNDATED,
} from './state.js'
import { encodeValue, shortener } from './values.js'

/** The entity of a list's member, its primary key, and its reference in the list. */
export type MemberName = readonly [entity: EntityInterface, pk: string, ref: Member]

/** The facts of a response or an error that a state contains. */
export type ResponseFacts = Pick<ResponseInfo, 'start' | 'date' | 'expiresAt' | 'at'> & Partial<ResponseInfo>

/** The members that a mutation has moved between lists. */
export interface Move extends Pick<MembershipChange, 'list' | 'op' | 'at' | 'members'> {
  readonly response: ResponseInfo
}

/** A tuple of a state whose second item is still the response itself. */
type Open<Tuple extends readonly unknown[]> = Tuple extends readonly [infer First, number, ...infer Rest]
  ? [First, OpenResponse, ...Rest]
  : never

/** The options of `dehydrate` that concern the state as a whole. */
interface StateOptions {
  readonly buster?: string | undefined
  readonly isStatic?: boolean | undefined
}

interface LastResponse {
  readonly info: ResponseFacts
  readonly isStale: boolean
  readonly dated: OpenResponse
}

/** The options of a log of records that concern each row and each response. */
export interface DraftOptions {
  /** Called with rows that have values which JSON cannot represent. Without it, JSON may change the values. */
  readonly onOdd?: (row: Row) => void
  /** Returns the position of a response among those of other tabs. */
  readonly placeOf?: (info: ResponseFacts) => readonly [since: number, mutation: MutationMark]
}

/** A state under construction. */
export class Draft {
  readonly #rows: ShapedRows
  readonly #env: Pick<Env, 'now' | 'mono'>
  readonly #base: Store['base']
  readonly #placeOf: DraftOptions['placeOf']
  /** The clocks, read on first use, since prerendering frameworks allow no clock before data was loaded. */
  #time: { readonly now: number; readonly mono: number } | undefined
  readonly #responses = new Map<object, Map<boolean, OpenResponse>>()
  #last: LastResponse | undefined
  readonly #moves: Open<MoveTuple>[] = []
  /** Lists of results, all of whose members are known to be loaded. */
  readonly #wholeLists = new Set<Row>()
  readonly #lists: Open<ListTuple>[] = []
  readonly #results: Open<ResultTuple>[] = []
  readonly #errors: Open<ErrorTuple>[] = []

  constructor(env: Pick<Env, 'now' | 'mono'>, base: Store['base'], { onOdd, placeOf }: DraftOptions) {
    this.#rows = new ShapedRows(base, (run) => this.#dated(run.info, run.isStale), onOdd)
    this.#base = base
    this.#env = env
    this.#placeOf = placeOf
  }

  get isEmpty(): boolean {
    return this.#rows.isEmpty && this.#lists.length + this.#results.length + this.#errors.length === 0
  }

  state({ buster = '', isStatic }: StateOptions): Dehydrated {
    const dated = [...this.#responses.values()].flatMap((of) => [...of.values()]).sort((a, b) => a.order - b.order)
    dated.forEach((response, at) => {
      response.at = at
    })
    return {
      v: 3,
      buster,
      ...(isStatic && { madeAt: this.#env.now() }),
      responses: dated.map(({ tuple }) => tuple),
      ...this.#rows.close(),
      lists: closed(this.#lists),
      results: closed(this.#results),
      errors: closed(this.#errors),
      ...(this.#moves.length > 0 && { moves: closed<MoveTuple>(this.#moves) }),
    }
  }

  /**
   * Adds a result: with the order of the response that was written last, and as old as the oldest one. `lists` are the lists
   * to which it refers; undefined if it refers to a missing row.
   */
  addResult(
    { key, form, row, response: oldest }: Entry,
    newest: ResponseInfo,
    { stale, invalid }: MarkedSince,
    lists: readonly Row[] | undefined,
  ): void {
    const value = this.#base(row)
    const { start, date, expiresAt, at } = oldest ?? newest
    if (value === undefined || invalid > start) return
    for (const list of lists ?? []) this.#wholeLists.add(list)
    const response = newest === oldest ? newest : { ...newest, date, expiresAt, at }
    const dated = this.#dated(response, stale > start)
    this.#results.push([key, dated, portableForm(form), encodeValue(value), lists ? 1 : 0])
  }

  /** Adds an error: its name, code and status, but not its message, which may contain internal details of the server. */
  addError({ key, form }: Entry, error: KeyError): void {
    const { name, code, status } = error.error as Error & { readonly code?: unknown; readonly status?: unknown }
    const dated = this.#dated(error, false)
    this.#errors.push([key, dated, portableForm(form), { name, code, status }, error.policy === undefined ? 0 : 1])
  }

  addRows(rows: Iterable<EntityRow>, runOf: RunOf): void {
    this.#rows.add(rows, runOf)
  }

  addList(row: ListNode, info: ResponseInfo, isStale: boolean, isLoaded: (member: MemberName) => boolean): void {
    const value = this.#base(row)
    if (!isThere(value)) return
    const { args, members, pages } = value
    // A list is its own only page until a mutation adds members to it or removes some.
    const isPaged = pages.length > 1 || pages.some(({ cursor, came }) => cursor !== '{}' || !hasSame(came, members))
    const starts = pages.map(({ first }) => first).sort((a, b) => a - b)
    const all = encodeValue(members)
    const short = shortener(isPaged && all)
    const pageOf = ({ cursor, order, first, members: now, came }: ListPage): PageTuple => {
      const page = [cursor, order ?? null, starts.indexOf(first), short(encodeValue(now))] as const
      return came === now ? page : [...page, short(encodeValue(came))]
    }
    const dated = this.#dated(info, isStale)
    let isWhole = true
    if (!this.#wholeLists.has(row)) for (const member of row.membersIn(value)) isWhole &&= isLoaded(member)
    this.#lists.push([
      row.home.key,
      dated,
      row.pk,
      encodeValue(args),
      all,
      isPaged ? pages.map(pageOf) : [],
      isWhole ? 1 : 0,
    ])
  }

  /** Adds a move, after all rows. */
  addMove({ response, list, op, at, members }: Move): void {
    const encoded = members.map(encodeValue)
    // A response with stale rows has two parts. The receiver needs all rows before it can tell which lists a member enters.
    const parts = [...(this.#responses.get(response)?.values() ?? [])]
    const dated = parts.at(-1) ?? this.#dated(response, false)
    this.#moves.push([list.key, dated, op, at === 'start' ? 1 : 0, encoded])
  }

  #dated(info: ResponseFacts, isStale: boolean): OpenResponse {
    // Consecutive rows usually share a response.
    if (this.#last?.info === info && this.#last.isStale === isStale) return this.#last.dated
    const dated = this.#responses.get(info)?.get(isStale) ?? this.#newDated(info, isStale)
    this.#last = { info, isStale, dated }
    return dated
  }

  #newDated(info: ResponseFacts, isStale: boolean): OpenResponse {
    const responses = this.#responses.get(info)
    const { date, expiresAt, at, start, done, mutation } = info
    const lifetime = isStale ? 0 : expiresAt - date
    this.#time ??= { now: this.#env.now(), mono: this.#env.mono() }
    // The larger time passed counts, since one clock stops during sleep, and the other may be set back.
    const passed = Math.max(this.#time.mono - at, this.#time.now - date)
    const age = date === UNDATED ? 0 : Math.max(0, Math.ceil(passed))
    const dated: OpenResponse = {
      order: mutation ? (done ?? start) : start,
      tuple: [age, lifetime === Infinity ? null : lifetime, ...(this.#placeOf?.(info) ?? [])],
      at: 0,
    }
    this.#responses.set(info, (responses ?? new Map<boolean, OpenResponse>()).set(isStale, dated))
    return dated
  }
}

/** True if two lists have the same members, in any order. */
function hasSame(a: ListMembers, b: ListMembers): boolean {
  if (a === b) return true
  const left = new Set(a.values())
  return [...b.values()].every((ref) => left.delete(ref)) && left.size === 0
}

/** Returns the parts of a list's value that a state contains, without its pages. */
export function listParts(value: unknown): readonly unknown[] {
  // The value of a list is always a `ListValue`.
  const { args, members } = value as ListValue
  return [args, members]
}

/**
 * Returns the lists to which a stored value refers; undefined if it refers to a missing row. Rows without relations are not
 * collected, since that would take longer than writing them.
 */
export function wholeLists(
  { base, rowOf, infos, layers }: Pick<Store, 'base' | 'rowOf' | 'infos' | 'layers'>,
  schema: Schema,
  value: unknown,
): readonly ListNode[] | undefined {
  const lists: ListNode[] = []
  const open = new Set<TableRow>()
  let isWhole = true
  const meet = (row: TableRow): void => {
    if (base(originOf(row)) === undefined) isWhole = false
    else if (row.list !== undefined || row.home.info?.relations.length !== 0) open.add(row)
  }
  eachRow(schema, value, { rowOf }, meet)
  // Iterating over a Set includes elements that are added meanwhile.
  for (const row of open) {
    if (!isWhole) return undefined
    if (row.list === undefined) eachRelation(row, { rowOf }, meet)
    else {
      lists.push(originOf(row.list))
      if (layers.length > 0 || !showsAll(row.list, infos)) eachMember(row.list, infos, meet)
    }
  }
  return isWhole ? lists : undefined
}

/** True if a current view shows all members of a list, and no member refers to other rows. */
function showsAll({ home, value, view, dirty }: ListNode, infos: Store['infos']): boolean {
  const member = home.list?.member
  const members = value?.members
  const isShown = !dirty && Array.isArray(view) && Array.isArray(members) && view.length === members.length
  return isShown && isEntity(member) && infos.of(member).info.relations.length === 0
}

function eachMember(list: ListNode, infos: Store['infos'], meet: (row: TableRow) => void): void {
  const schema = list.home.list
  let home: Kind<TableRow> | undefined
  let of: EntityInterface | undefined
  for (const ref of originOf(list).value?.members.values() ?? []) {
    const entity = schema?.entityOf(ref)
    if (entity === undefined) continue
    // Usually all members are of one class.
    if (entity !== of || home === undefined) home = infos.homeFor(entity)
    of = entity
    meet(home.row(pkOfRef(ref)))
  }
}
