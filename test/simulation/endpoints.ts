import {
  type AlsoResult,
  also,
  Endpoint,
  type EndpointInterface,
  type ReadEndpoint,
  type Snapshot,
  transfer,
} from '@roundtable/core'
import {
  argsOf,
  Board,
  type Call,
  deleted,
  deletedNote,
  type Edit,
  guess,
  Item,
  isCreation,
  LISTS,
  type Lists,
  Note,
  SCORES,
  StatusError,
  type Target,
} from './domain.js'
import type { More } from './server.js'

/** Sends a call to the server. */
export type Send = (call: Call, key: string, signal: AbortSignal | undefined) => Promise<unknown>

/** What answers tell beside themselves. */
export type MoreOf = WeakMap<object, More>

/** How the endpoints of one program differ from those of another. */
export interface Traits {
  readonly dataExpiryLength: number
  readonly invalidIfStale: boolean
  readonly abortOnUnused: boolean
  /** What requests bring is handed over: the store keeps it without a copy. */
  readonly handsOver?: boolean
  readonly isSoft: boolean
  readonly timeout: number | undefined
  /** How long data that nobody uses is kept, in ms; false keeps it. */
  readonly retention: number | false
  /** So many ms pass after each step: what is of no use is collected at once, or after a few steps. */
  readonly ticks?: number
  /** Lists of items know by themselves who is in them, and in which order. */
  readonly keeps?: boolean
  /** What is stale is fetched when the user or the network comes back. */
  readonly revalidates?: boolean
  /** The session ends with the first request that is refused. */
  readonly logsOut?: boolean
}

/** The Collections of a program. */
export function listsFor({ keeps }: Traits): Lists {
  return keeps === true ? LISTS.kept : LISTS.plain
}

/** An endpoint whose arguments are made by `argsOf` or `argsFor`, of which types know nothing. */
export type AnyRead = ReadEndpoint<(...args: unknown[]) => Promise<unknown>>
export type AnyEdit = EndpointInterface<(...args: unknown[]) => Promise<unknown>>

/** The endpoints of one world. */
export interface Endpoints {
  of(read: Target['read'], signal?: AbortSignal): AnyRead
  for(edit: Edit, isOptimistic: boolean, signal?: AbortSignal): AnyEdit
}

type Fetch = (...args: never) => Promise<unknown>

/** What a fetch function asks of its endpoint. */
interface Self {
  readonly signal?: AbortSignal
  key(...args: unknown[]): string
}

/** What the API offers, over a server that is not there. */
export function endpointsOf(send: Send, moreOf: MoreOf, traits: Traits): Endpoints {
  const { handsOver, isSoft, dataExpiryLength, invalidIfStale, abortOnUnused, timeout } = traits
  const lists = listsFor(traits)
  const shared = {
    dataExpiryLength,
    invalidIfStale,
    abortOnUnused,
    timeout,
    pollFrequency: 5_000,
    errorPolicy: isSoft ? (error: Error) => (error instanceof StatusError ? ('soft' as const) : undefined) : undefined,
  }
  const handed = (sent: Promise<unknown>): Promise<unknown> => (handsOver ? sent.then(handOver) : sent)
  const handOver = (data: unknown): unknown => {
    const handed = transfer(structuredClone(data))
    const more = moreOf.get(Object(data))
    if (more !== undefined) moreOf.set(Object(handed), more)
    return handed
  }
  const read = (name: string, schema: unknown, targetOf: (args: Params) => Target, extra?: object): AnyRead =>
    new Endpoint(
      function (this: Self, args: Params): Promise<unknown> {
        return handed(send({ type: 'read', target: targetOf(args) }, this.key(...[args].filter(Boolean)), this.signal))
      } as Fetch,
      { ...shared, name, schema: schema as never, ...extra } as never,
    ) as unknown as AnyRead
  const listRead = (name: 'list' | 'map' | 'feed'): AnyRead =>
    read(name, lists[name], ({ group }) => ({ read: name, ...(group === undefined ? undefined : { group }) }))
  const { page: pages, Box } = lists
  const withPages = pages.paginated(({ page: _, ...rest }: Params) => [rest])
  const reads = {
    item: read('item', Item, ({ id }) => ({ read: 'item', id })),
    list: listRead('list'),
    map: listRead('map'),
    feed: listRead('feed'),
    box: read('box', Box, ({ id }) => ({ read: 'box', group: id })),
    page: read('page', withPages, ({ group = '', page }) => ({
      read: 'page',
      group,
      ...(page === undefined ? undefined : { page }),
    })),
    board: read('board', Board, ({ id, league = '' }) => ({ read: 'board', group: id, league })),
    scores: read('scores', SCORES, ({ league = '' }) => ({ read: 'scores', league })),
    stats: read('stats', undefined, () => ({ read: 'stats' })),
  }
  const mutations = new Map<string, AnyEdit>()
  const mutation = (edit: Edit, isOptimistic: boolean): AnyEdit => {
    const { deed, into = 'list', type, counts = false, also: beside } = edit
    const name = [deed, into, type, isOptimistic ? 'at once' : '', counts ? 'counted' : '', beside?.read].join(' ')
    const endpoint = mutations.get(name) ?? makeMutation(name, edit, isOptimistic)
    mutations.set(name, endpoint)
    return endpoint
  }
  const makeMutation = (name: string, like: Edit, isOptimistic: boolean): AnyEdit =>
    new Endpoint(
      function (this: Self, args: object, edit: Edit): Promise<unknown> {
        return handed(send({ type: 'edit', edit }, this.key(args, edit), this.signal))
      } as Fetch,
      {
        name,
        schema: schemaOf(like, lists) as never,
        sideEffect: true,
        timeout,
        getOptimisticResponse: isOptimistic ? expected : undefined,
        update: like.counts === true ? () => ({ [reads.stats.key()]: countedUp }) : undefined,
        parts: like.also === undefined ? undefined : [also(tellMore as never)],
        key: (args: object, edit: Edit) => `${name} ${JSON.stringify([args, edit])}`,
      } as never,
    ) as unknown as AnyEdit
  const tellMore = (answer: unknown): readonly AlsoResult[] => {
    const more = moreOf.get(Object(answer))
    return more === undefined ? [] : [[reads[more.target.read], argsOf(more.target), more.data]]
  }
  const withSignal = <E extends AnyRead | AnyEdit>(endpoint: E, signal: AbortSignal | undefined): E =>
    // A copy is what the endpoint is.
    signal === undefined ? endpoint : (endpoint.extend?.({ signal }) as unknown as E)
  return {
    of: (name, signal) => withSignal(reads[name], signal),
    for: (edit, isOptimistic, signal) => withSignal(mutation(edit, isOptimistic), signal),
  }
}

interface Params {
  readonly id: string
  readonly group?: string
  readonly page?: number
  readonly league?: string
}

function schemaOf({ deed, into = 'list', type }: Edit, lists: Lists): unknown {
  const { [into]: list } = lists
  if (deed === 'patch' || deed === 'increment') return type === 'note' ? Note : Item
  if (deed === 'delete') return type === 'note' ? deletedNote : deleted
  if (deed === 'assign') return lists.map.assign
  if (deed === 'put first') return lists.list.addWith(first, sameGroup as never)
  return deed === 'create' ? list.push : list[deed]
}

/** A merge of the user's own: as `unshift`, but for the order of overlapping edits. */
function first<Ref>(existing: readonly Ref[], incoming: readonly Ref[]): readonly Ref[] {
  return [...incoming, ...existing]
}

/** A filter of the user's own: as the Collection's. */
function sameGroup(params?: { readonly [name: string]: unknown }) {
  return (args: { readonly group?: unknown }, row: { readonly group?: unknown }): boolean =>
    args.group === undefined || args.group === (row.group ?? params?.group)
}

/** What a counted edit makes of the statistics; nothing if there are none. */
export function countedUp(before: unknown): unknown {
  if (before === undefined || before === null) return before
  const { total } = before as { readonly total?: unknown }
  // An answer may have been malformed.
  return typeof total === 'number' ? { ...before, total: total + 1 } : before
}

/** What a mutation is expected to be answered with. */
function expected(snapshot: Snapshot, _args: object, edit: Edit): object {
  const answer = guess(edit, (id) => snapshot.get(Item, { id }))
  if (answer === undefined) throw snapshot.abort
  return answer
}

/** The arguments of an edit's endpoint: what names the item or the list, then all of it; new values are fields of the body. */
export function argsFor(edit: Edit): readonly unknown[] {
  const { deed, id, group, values } = edit
  if (isCreation(deed)) return [{ group }, { ...edit, ...values }]
  if (deed === 'patch') return [{ id }, { ...edit, ...values }]
  return [deed === 'remove' ? { group, id } : { id }, edit]
}
