import { Endpoint, type EndpointInterface, type ReadEndpoint, type Snapshot } from '@roundtable/core'
import { type Call, deleted, type Edit, guess, Item, Items, StatusError, type Target } from './domain.js'

/** Sends a call to the server. */
export type Send = (call: Call, key: string, signal: AbortSignal | undefined) => Promise<unknown>

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

/** What a fetch function asks of its endpoint. */
interface Self {
  readonly signal?: AbortSignal
  key(...args: unknown[]): string
}

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
      function (this: Self, args: { id: string; group?: string }): Promise<unknown> {
        return send({ type: 'read', target: targetOf(args) }, this.key(...[args].filter(Boolean)), this.signal)
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
      function (this: Self, args: object, edit: Edit): Promise<unknown> {
        return send({ type: 'edit', edit }, this.key(args, edit), this.signal)
      } as Fetch,
      {
        name,
        schema: SCHEMAS[deed] as never,
        sideEffect: true,
        timeout: traits.timeout,
        getOptimisticResponse: isOptimistic ? expected : undefined,
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
function expected(snapshot: Snapshot, _args: object, edit: Edit): object {
  const answer = guess(edit, (id) => snapshot.get(Item, { id }))
  if (answer === undefined) throw snapshot.abort
  return answer
}

/** The arguments of an edit's endpoint: what names the item or the list, then all of it. */
export function argsFor(edit: Edit): readonly unknown[] {
  const { deed, id, group } = edit
  if (deed === 'create' || deed === 'unshift') return [{ group }, edit]
  return [deed === 'remove' ? { group, id } : { id }, edit]
}
