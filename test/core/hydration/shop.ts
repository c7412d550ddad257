import {
  All,
  Collection,
  Controller,
  type ControllerOptions,
  Endpoint,
  type EndpointInterface,
  Entity,
  Invalidate,
  Query,
  Scalar,
  type Schema,
  Union,
  Values,
} from '@roundtable/core'
import { type Dehydrated, dehydrate, hydrate } from '@roundtable/core/hydration'
import { HandClock } from '../engine/clock.js'

export class Maker extends Entity {
  static override key = 'Maker'
  id = ''
  name = ''
}

export const price = new Scalar({ key: 'price', lens: (args?: { currency?: string }) => args?.currency })

export class Product extends Entity {
  static override key = 'Product'
  static override schema = { maker: Maker, price }
  id = ''
  type = ''
  title = ''
  tags: readonly string[] = []
  maker: Maker | undefined = undefined
  price: unknown = undefined
}

export class Service extends Entity {
  static override key = 'Service'
  id = ''
  type = ''
}

export const Products = new Collection([Product], { nestKey: ({ id }: { id: string }) => ({ shelf: id }) })
export const open = Products as unknown as Collection<[typeof Product]>
export const ByName = new Collection(new Values(Maker))

export class Shelf extends Entity {
  static override key = 'Shelf'
  static override schema = { products: Products }
  id = ''
  products: readonly Product[] = []
}

const Thing = new Union({ product: Product, service: Service }, 'type')

/** No request is answered: data is put in by hand. */
const never = (_?: object): Promise<never> => new Promise(() => {})
const of = <const S extends Schema>(name: string, schema: S) => new Endpoint(never, { name, schema })

export const getProducts = of('getProducts', open)
export const getPage = new Endpoint(never, {
  name: 'getProducts',
  schema: open.paginated((args?: { page?: number }) => {
    const { page: _, ...rest } = args ?? {}
    return [rest]
  }),
  key: () => 'getProducts',
})

/** Endpoints of every kind of schema, each with a response. */
export const reads: readonly (readonly [endpoint: EndpointInterface, args: readonly unknown[], data: unknown])[] = [
  [
    of('getProduct', Product),
    [{ id: '1' }],
    { id: '1', title: 'Pencil', tags: ['a', 'b'], maker: { id: 'm', name: 'M' } },
  ],
  [of('getBare', Product), [{ id: '2' }], { id: '2', title: 'Pen', maker: 'unknown' }],
  [getProducts, [{ shelf: 's' }], [{ id: '1', title: 'Pencil' }, null, { id: '3', title: 'Rubber', maker: 'm' }]],
  [of('getPlainList', [Product]), [], [{ id: '4' }, { id: '1' }]],
  [of('getMap', new Values(Product)), [], { x: { id: '5', title: 'Five' }, __proto__: { id: '1' } }],
  [of('getByName', ByName), [], { a: { id: 'm', name: 'M' }, b: { id: 'n', name: 'N' } }],
  [
    of('getThings', [Thing]),
    [],
    [
      { type: 'product', id: '1' },
      { type: 'service', id: 's1' },
      { type: 'other', x: 1 },
    ],
  ],
  [of('getShelf', Shelf), [{ id: 's2' }], { id: 's2', products: [{ id: '6' }, { id: '1' }] }],
  [
    of('getBox', { data: [Product], meta: { total: undefined } }),
    [],
    { data: [{ id: '1' }], meta: { total: 3 }, '~': { '~': [] } },
  ],
  [
    of('getAll', new All(Service)),
    [],
    [
      { id: 's1', type: 'service' },
      { id: 's2', type: 'service' },
    ],
  ],
  [of('getCount', new Query([Product], (list: readonly unknown[]) => list.length)), [], [{ id: '1' }, { id: '2' }]],
  [
    of(
      'getPrices',
      new Values(new Scalar({ key: 'price', lens: (args?: { currency?: string }) => args?.currency, entity: Product })),
    ),
    [{ currency: 'EUR' }],
    { 1: { price: 5 } },
  ],
  [of('getPriced', Product), [{ id: '7', currency: 'EUR' }], { id: '7', title: 'Gold', price: 3 }],
  [of('getPlain', undefined), [{ q: 'x' }], { deep: [{ er: null }], '~': 0, __proto__: 1, list: [1, 'x', false] }],
  [of('getText', undefined), [], 'text'],
  [of('getNothing', undefined), [], null],
]

export const remove = new Endpoint(never, { name: 'remove', schema: new Invalidate(Product), sideEffect: true })

export interface Store {
  readonly clock: HandClock
  readonly controller: Controller
  readonly errors: Error[]
}

export function openStore(options: ControllerOptions = {}): Store {
  const clock = new HandClock()
  const errors: Error[] = []
  const controller = new Controller({ env: clock, onError: (error) => void errors.push(error), ...options })
  return { clock, controller, errors }
}

/** As a state travels in a page. */
export function sent(controller: Controller, options?: Parameters<typeof dehydrate>[1]): Dehydrated {
  return JSON.parse(JSON.stringify(dehydrate(controller, options)))
}

/** A browser that was given the state of a server. */
export function hydrated(state: unknown, options?: ControllerOptions): Store {
  const store = openStore(options)
  hydrate(store.controller, state as Dehydrated)
  return store
}

/** Puts a response in, as if a request had brought it. */
export function put(
  controller: Controller,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  data: unknown,
): void {
  controller.setResponse(endpoint, ...(args as never), data)
}

/** What a reader of an endpoint sees. */
export function shownBy(controller: Controller, endpoint: EndpointInterface, args: readonly unknown[]) {
  return controller.watch(endpoint as typeof getProducts, ...(args as never)).getSnapshot()
}
