import { Endpoint, type EndpointInterface, type ReadEndpoint, type Snapshot } from '@roundtable/core'
import { type Call, deleted, type Edit, Item, Items, StatusError, type Target } from './domain.js'

/** Sends a call to the server. */
export type Send = (call: Call, signal: AbortSignal | undefined) => Promise<unknown>

/** How the endpoints of one program differ from those of another. */
export interface Traits {
  readonly dataExpiryLength: number
  readonly invalidIfStale: boolean
  readonly abortOnUnused: boolean
  readonly isSoft: boolean
  readonly timeout: number | undefined
  /** How long data that nobody uses is kept, in ms; false keeps it. */
  readonly retention: number | false
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

/** What the API offers, over a server that is not there. */
export function endpointsOf(send: Send, traits: Traits): Endpoints {
  const { isSoft, retention: _, ...options } = traits
  const shared = {
    ...options,
    pollFrequency: 5_000,
    errorPolicy: isSoft ? (error: Error) => (error instanceof StatusError ? ('soft' as const) : undefined) : undefined,
  }
  const read = (name: string, schema: unknown, targetOf: (args: { id: string; group?: string }) => Target): AnyRead =>
    new Endpoint(
      function (this: { signal?: AbortSignal }, args: { id: string; group?: string }): Promise<unknown> {
        return send({ type: 'read', target: targetOf(args) }, this.signal)
      } as Fetch,
      { ...shared, name, schema: schema as never } as never,
    ) as unknown as AnyRead
  const reads = {
    item: read('item', Item, ({ id }) => ({ read: 'item', id })),
    list: read('list', Items, (args) => ({ read: 'list', ...args })),
    stats: read('stats', undefined, () => ({ read: 'stats' })),
  }
  const mutations = new Map<string, AnyEdit>()
  const mutation = (edit: Edit, isOptimistic: boolean): AnyEdit => {
    const name = `${edit.deed}${isOptimistic ? ' at once' : ''}`
    const endpoint = mutations.get(name) ?? makeMutation(name, edit.deed, isOptimistic)
    mutations.set(name, endpoint)
    return endpoint
  }
  const makeMutation = (name: string, deed: Edit['deed'], isOptimistic: boolean): AnyEdit =>
    new Endpoint(
      function (this: { signal?: AbortSignal }, _args: object, edit: Edit): Promise<unknown> {
        return send({ type: 'edit', edit }, this.signal)
      } as Fetch,
      {
        name,
        schema: SCHEMAS[deed] as never,
        sideEffect: true,
        timeout: traits.timeout,
        getOptimisticResponse: isOptimistic ? guess : undefined,
        key: (args: object, edit: Edit) => `${name} ${JSON.stringify([args, edit])}`,
      } as never,
    ) as unknown as AnyEdit
  const withSignal = <E extends AnyRead | AnyEdit>(endpoint: E, signal: AbortSignal | undefined): E =>
    // A copy is what the endpoint is.
    signal === undefined ? endpoint : (endpoint.extend?.({ signal }) as unknown as E)
  return {
    of: (name, signal) => withSignal(reads[name], signal),
    for: (edit, isOptimistic, signal) => withSignal(mutation(edit, isOptimistic), signal),
  }
}

const SCHEMAS: { readonly [Deed in Edit['deed']]: unknown } = {
  create: Items.push,
  unshift: Items.unshift,
  patch: Item,
  increment: Item,
  delete: deleted,
  remove: Items.remove,
  move: Items.move,
}

/** What a mutation is expected to be answered with. */
function guess(snapshot: Snapshot, _args: object, edit: Edit): unknown {
  const { deed, id, group, values } = edit
  if (deed === 'create' || deed === 'unshift') return id === undefined ? { ...values, group } : { id, ...values, group }
  if (deed === 'increment') {
    const item = snapshot.get(Item, { id })
    if (item === undefined) throw snapshot.abort
    return { id, n: item.n + 1 }
  }
  if (deed === 'patch') return { id, ...values }
  return deed === 'move' ? { id, group } : { id }
}

/** The arguments of an edit's endpoint: what names the item or the list, then all of it. */
export function argsFor(edit: Edit): readonly unknown[] {
  const { deed, id, group } = edit
  if (deed === 'create' || deed === 'unshift') return [{ group }, edit]
  return [deed === 'remove' ? { group, id } : { id }, edit]
}
