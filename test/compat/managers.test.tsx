import {
  actionTypes,
  Controller,
  DevToolsManager,
  GCPolicy,
  LogoutManager,
  type Manager,
  type Middleware,
  NetworkManager,
  PollingSubscription,
  SubscriptionManager,
} from '@data-client/core'
import { DataProvider, initialState, useController, useLoading } from '@data-client/react'
import {
  Collection,
  createResource,
  Endpoint,
  Entity,
  getUrlBase,
  getUrlTokens,
  RestEndpoint,
  schema,
} from '@data-client/rest'
import { revalidate } from '@roundtable/core'
import { act, cleanup, render, screen } from '@testing-library/react'
import { Component, type ReactNode } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}
const answer = vi.fn(async (url: unknown): Promise<Response> => {
  const id = Number(/\d+$/.exec(String(url))?.[0])
  return id === 500 ? new Response('{}', { status: 500 }) : Response.json({ id, title: `Todo ${id}` })
})
const options = { urlPrefix: 'https://api.test', path: '/todos/:id', schema: Todo, transport: answer } as const
const getTodo = new RestEndpoint(options)
const live = getTodo.extend({ pollFrequency: 1_000 })

const controllers: Controller[] = []
/** A controller whose managers have these middlewares. */
function open(...middlewares: Middleware[]): Controller {
  const managers = middlewares.map((middleware): Manager => ({ middleware, cleanup() {} }))
  const controller = new Controller({ managers, onError: () => {} })
  controllers.push(controller)
  return controller
}
afterEach(() => {
  cleanup()
  for (const controller of controllers.splice(0)) controller.dispose()
  answer.mockClear()
  vi.useRealTimers()
})

/** Lets all that is under way end. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** A middleware that notes actions. */
function noting(): { readonly actions: Record<string, unknown>[]; readonly middleware: Middleware } {
  const actions: Record<string, unknown>[] = []
  const middleware: Middleware = () => (next) => async (action) => {
    actions.push(action as never)
    await next(action)
  }
  return { actions, middleware }
}

describe('dispatch', () => {
  const args = [{ id: 5 }] as const
  const key = getTodo.key({ id: 5 })
  const meta = { fetchedAt: 0, date: 0, expiresAt: Infinity }
  const title = (controller: Controller) => controller.get(Todo, { id: 5 })?.title
  const status = (controller: Controller) => {
    const { expiryStatus, expiresAt } = controller.getResponse(getTodo, { id: 5 })
    return expiresAt <= Date.now() ? `${expiryStatus} stale` : expiryStatus
  }

  test.each<[type: string, action: object, what: (controller: Controller) => unknown, after: unknown]>([
    ['SET', { schema: Todo, args, value: { title: 'Set' }, meta }, title, 'Set'],
    ['SET_RESPONSE', { endpoint: getTodo, args, key, response: { id: 5, title: 'Told' }, meta }, title, 'Told'],
    [
      'SET_RESPONSE',
      { endpoint: getTodo, args, key, response: new Error('told'), error: true, meta: { ...meta } },
      (controller) => controller.getError(getTodo, { id: 5 })?.message,
      'told',
    ],
    ['INVALIDATE', { key }, status, 1],
    ['INVALIDATEALL', { testKey: (tested: string) => tested === key }, status, 1],
    ['EXPIREALL', { testKey: (tested: string) => tested === key }, status, '3 stale'],
    ['RESET', { date: 0 }, title, undefined],
  ])('%s does what the method does, and middleware sees it', async (type, action, what, after) => {
    const { actions, middleware } = noting()
    const controller = open(middleware)
    await controller.fetch(getTodo, { id: 5 })
    await Promise.resolve()
    const sent = { type: actionTypes[type as keyof typeof actionTypes], ...action }
    await controller.dispatch(sent as never)
    expect(actions.at(-1)).toBe(sent)
    expect(what(controller)).toBe(after)
  })

  test('FETCH sends a request and settles by its meta', async () => {
    const controller = open()
    const resolve = vi.fn()
    const action = {
      type: actionTypes.FETCH,
      endpoint: getTodo,
      args,
      key,
      meta: { fetchedAt: 0, resolve, reject() {} },
    }
    await controller.dispatch(action as never)
    await settled()
    expect(resolve).toHaveBeenCalledWith(expect.objectContaining({ id: 5 }))
  })

  test('SUBSCRIBE polls until UNSUBSCRIBE came as often', async () => {
    vi.useFakeTimers()
    const controller = open()
    const about = { endpoint: live, args, key: live.key({ id: 5 }) }
    for (let i = 0; i < 2; i++) await controller.dispatch({ type: actionTypes.SUBSCRIBE, ...about } as never)
    await vi.advanceTimersByTimeAsync(3_500)
    const calls = answer.mock.calls.length
    expect(calls).toBeGreaterThan(2)
    await controller.unsubscribe(live, { id: 5 })
    await vi.advanceTimersByTimeAsync(1_500)
    expect(answer.mock.calls.length).toBeGreaterThan(calls)
    await controller.dispatch({ type: actionTypes.UNSUBSCRIBE, ...about } as never)
    const before = answer.mock.calls.length
    await vi.advanceTimersByTimeAsync(5_000)
    expect(answer.mock.calls).toHaveLength(before)
  })

  test.each(['OPTIMISTIC', 'GC'] as const)('%s is refused: it is the own affair of the store', async (type) => {
    const sent = open().dispatch({ type: actionTypes[type] } as never)
    await expect(sent).rejects.toMatchObject({ name: 'NotCarriedError' })
  })

  test("an action of the application's own reaches middleware, and does nothing", async () => {
    const { actions, middleware } = noting()
    await open(middleware).dispatch({ type: 'app/connected' } as never)
    expect(actions).toEqual([{ type: 'app/connected' }])
  })
})

describe('middleware', () => {
  test('sees what methods of the controller do, with the state to read by, and may hold it back', async () => {
    const { actions, middleware } = noting()
    const blocking: Middleware = () => (next) => async (action) => {
      if (action.type !== actionTypes.SET) await next(action)
    }
    const controller = open(middleware, blocking)
    await controller.set(Todo, { id: 1 }, { title: 'No' })
    await controller.setResponse(getTodo, { id: 2 }, { id: 2, title: 'Yes' })
    await controller.setError(getTodo, { id: 3 }, new Error('told'))
    await controller.resolve(getTodo, { args: [{ id: 4 }], response: { id: 4, title: 'Resolved' }, fetchedAt: 0 })
    await controller.invalidate(getTodo, { id: 2 })
    await controller.invalidateAll(getTodo)
    await controller.expireAll(getTodo)
    await controller.resetEntireStore()
    expect(actions.map(({ type }) => type)).toEqual([
      ...['rdc/set', 'rdc/setresponse', 'rdc/setresponse', 'rdc/setresponse', 'rdc/invalidate'],
      ...['rdc/invalidateall', 'rdc/expireall', 'rdc/reset'],
    ])
    await controller.set(Todo, { id: 1 }, { title: 'No' })
    expect(controller.get(Todo, { id: 1 }, controller.getState())).toBeUndefined()
  })

  test('sees a request before it is sent and its response once it is stored', async () => {
    const seen: unknown[] = []
    const watching: Middleware = (controller) => (next) => async (action) => {
      if (action.type === actionTypes.FETCH) seen.push(answer.mock.calls.length)
      await next(action)
      if (action.type === actionTypes.SET_RESPONSE) seen.push(controller.get(Todo, { id: 5 })?.title, action.response)
    }
    await open(watching).fetch(getTodo, { id: 5 })
    await settled()
    expect(seen).toEqual([0, 'Todo 5', { id: 5, title: 'Todo 5' }])
  })

  test('sees errors', async () => {
    const { actions, middleware } = noting()
    await expect(open(middleware).fetch(getTodo, { id: 500 })).rejects.toMatchObject({ status: 500 })
    await settled()
    expect(actions.at(-1)).toMatchObject({ type: 'rdc/setresponse', error: true, response: { status: 500 } })
  })

  test('may delay a request, answer it in place of the server, or refuse it', async () => {
    let go = (): void => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const delaying: Middleware = () => (next) => async (action) => {
      if (action.type === actionTypes.FETCH) await held
      await next(action)
    }
    const delayed = open(delaying).fetch(getTodo, { id: 1 })
    await settled()
    expect(answer).not.toHaveBeenCalled()
    go()
    expect((await delayed)?.title).toBe('Todo 1')

    const answering: Middleware = () => (next) => async (action) => {
      if (action.type === actionTypes.FETCH) action.meta.resolve({ id: 2, title: 'Mine' })
      else await next(action)
    }
    expect((await open(answering).fetch(getTodo, { id: 2 }))?.title).toBe('Mine')

    const refusing: Middleware = () => (next) => async (action) => {
      if (action.type === actionTypes.FETCH) action.meta.reject(new Error('offline'))
      else await next(action)
    }
    await expect(open(refusing).fetch(getTodo, { id: 3 })).rejects.toThrow('offline')
    expect(answer).toHaveBeenCalledOnce()
  })

  test('that drops a request makes it fail, in place of waiting for ever', async () => {
    const dropping: Middleware = () => (next) => async (action) => {
      if (action.type !== actionTypes.FETCH) await next(action)
    }
    class QueueManager implements Manager {
      middleware = dropping
      cleanup() {}
    }
    const { middleware } = noting()
    const before: Manager = { middleware, cleanup() {} }
    const controller = new Controller({ managers: [before, new QueueManager(), before] })
    controllers.push(controller)
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    await expect(controller.fetch(getTodo, { id: 3 })).rejects.toMatchObject({
      name: 'NotCarriedError',
      message: expect.stringContaining(
        'QueueManager has dropped a request of https://api.test/todos/:id. Call next(action)',
      ),
    })
    expect(logged).toHaveBeenCalledOnce()
    vi.restoreAllMocks()
  })

  test('that has answered a request in place of passing it on is no mistake', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const answering: Middleware = () => (next) => async (action) => {
      if (action.type === actionTypes.FETCH) action.meta.resolve({ id: 2, title: 'Mine' })
      else await next(action)
    }
    await open(answering).fetch(getTodo, { id: 2 })
    expect(logged).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  test('a SubscriptionManager with a class of the own has one subscription for each call', async () => {
    const events: unknown[] = []
    class Own {
      constructor({ key }: { readonly key: string }, controller: Controller) {
        events.push(['new', key])
        void controller.setResponse(live, { id: 5 }, { id: 5, title: 'Pushed' })
      }
      #count = 1
      add(frequency?: number) {
        events.push(['add', frequency])
        this.#count++
      }
      remove() {
        return --this.#count === 0
      }
      cleanup() {
        events.push('cleanup')
      }
    }
    const controller = new Controller({ managers: [new SubscriptionManager(Own)] })
    controllers.push(controller)
    const end = controller.connect()
    await controller.subscribe(live, { id: 5 })
    await controller.subscribe(live, { id: 5 })
    expect(controller.get(Todo, { id: 5 })?.title).toBe('Pushed')
    await controller.unsubscribe(live, { id: 5 })
    await controller.unsubscribe(live, { id: 5 })
    await controller.subscribe(live, { id: 5 })
    end()
    const made = ['new', live.key({ id: 5 })]
    expect(events).toEqual([made, ['add', 1_000], made, 'cleanup'])
    expect(answer).not.toHaveBeenCalled()
  })

  test('managers of Roundtable may stand beside', () => {
    const controller = new Controller({ managers: [revalidate(), new LogoutManager()] })
    controller.connect()()
    controller.dispose()
  })

  test('a subclass of LogoutManager has its functions as methods', async () => {
    const logouts: unknown[] = []
    class Own extends LogoutManager {
      readonly name = 'own'
      shouldLogout(error: { readonly status?: number | undefined }) {
        return error.status === 500
      }
      handleLogout(controller: unknown) {
        logouts.push(this.name, controller)
      }
    }
    const controller = new Controller({ managers: [new Own()], onError: () => {} })
    await controller.fetch(getTodo, { id: 500 }).catch(() => {})
    expect(logouts).toEqual(['own', controller])
  })
})

describe('what is not carried says so where it is defined', () => {
  test.each<[what: string, define: () => unknown]>([
    ['a subclass of NetworkManager', () => new (class extends NetworkManager {})()],
    ['a subclass of SubscriptionManager', () => new (class extends SubscriptionManager {})()],
    ['a subclass of DevToolsManager', () => new (class extends DevToolsManager {})()],
    ['a subclass of GCPolicy', () => new (class extends GCPolicy {})()],
    ['expiresAt of a GCPolicy', () => new GCPolicy({ expiresAt: () => 0 })],
    ['new PollingSubscription', () => new (PollingSubscription as never as new () => unknown)()],
    [
      'merge of a Collection',
      () =>
        new (class extends Collection<[typeof Todo]> {
          merge() {}
        })([Todo]),
    ],
    ['a state', () => Object.entries(Object.getOwnPropertyDescriptors(initialState)).map(([, { get }]) => get?.())],
  ])('%s', (_, define) => expect(define).toThrow(expect.objectContaining({ name: 'NotCarriedError' })))

  test.each<[what: string, props: object]>([
    ['a state of its own', { initialState: { entities: {} } }],
    ['a class of controllers of its own', { Controller: class {} }],
  ])('a provider with %s', (_, props) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(() => render(<DataProvider {...(props as object)} />)).toThrow(
      expect.objectContaining({ name: 'NotCarriedError' }),
    )
    vi.restoreAllMocks()
  })
})

test('static automaticValidation, which nothing reads, is a warning where a schema with the class is defined', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  class Owner extends Entity {
    static override key = 'Owner'
    id = 0
    static automaticValidation = 'silent'
  }
  class Group extends Entity {
    static override key = 'Group'
    id = 0
    static override schema = { owner: Owner }
    static automaticValidation = 'warn'
  }
  for (let i = 0; i < 2; i++) new RestEndpoint({ path: '/groups', schema: { items: new Collection([Group]) } })
  expect(warned.mock.calls.map(([text]) => /^static automaticValidation of \w+/.exec(text)?.[0])).toEqual([
    'static automaticValidation of Group',
    'static automaticValidation of Owner',
  ])
  createResource({ path: '/todos/:id', schema: Todo })
  expect(warned).toHaveBeenCalledTimes(2)
  vi.restoreAllMocks()
})

test("a plain Endpoint may have members of the author's own called retry and batch", async () => {
  const tripled = new Endpoint(
    async function (this: { readonly retry: number }, id: number) {
      return this.retry * id
    },
    { name: 'tripled', retry: 3, batch: 'nightly' },
  )
  expect(await open().fetch(tripled, 5)).toBe(15)
  const again = tripled.extend({ name: 'again' })
  expect([again.name, again.batch]).toEqual(['again', 'nightly'])
})

test('useLoading calls the function of the last change of deps', async () => {
  const calls: string[] = []
  let save: (() => Promise<unknown>) | undefined
  function Saver({ id, unrelated }: { id: number; unrelated: number }): ReactNode {
    const [run] = useLoading(async () => calls.push(`${id} ${unrelated}`), [id])
    save = run
    return null
  }
  const { rerender } = render(<Saver id={1} unrelated={1} />)
  const first = save
  rerender(<Saver id={1} unrelated={2} />)
  expect(save).toBe(first)
  await act(async () => void (await save?.()))
  rerender(<Saver id={2} unrelated={3} />)
  await act(async () => void (await save?.()))
  expect(calls).toEqual(['1 1', '2 3'])
})

test('a stale row stays on the screen when the server fails, and sideEffect: true makes a POST', async () => {
  const controller = open()
  await controller.setResponse(getTodo, { id: 500 }, { id: 500, title: 'Kept' })
  await controller.fetch(getTodo, { id: 500 }).catch(() => {})
  expect(controller.getError(getTodo, { id: 500 })).toBeUndefined()
  expect(new RestEndpoint({ ...options, sideEffect: true }).method).toBe('POST')
})

test('lists of createResource and Collection ignore arguments that begin with order', async () => {
  const TodoResource = createResource({ ...options, searchParams: {} as { userId?: number; orderBy?: string } })
  const own = new RestEndpoint({
    ...options,
    path: '/own',
    schema: new schema.Collection([Todo]),
    searchParams: {} as object,
  })
  const controller = open()
  for (const list of [TodoResource.getList, own] as unknown as readonly (typeof TodoResource.getList)[]) {
    await controller.setResponse(list, { orderBy: 'title' }, [{ id: 1, title: 'One' }])
    await controller.setResponse(list.push, {}, { id: 2, title: 'Two' }, { id: 2, title: 'Two' })
    const { data } = controller.getResponse(list, { orderBy: 'title' })
    expect((data as readonly Todo[]).map(({ id }) => id)).toEqual([1, 2])
  }
})

test('getUrlTokens and getUrlBase read path templates', () => {
  expect(getUrlTokens('/a/:id{/:"with-dash"}/*rest\\:no')).toEqual(new Set(['id', 'with-dash', 'rest']))
  expect(getUrlBase('/a/:id{/:tab}')({ id: 'ö', other: 1 })).toBe('/a/%C3%B6')
})

test('useController asks for the provider of this package', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  class Boundary extends Component<{ children: ReactNode }, { message?: string }> {
    override state: { message?: string } = {}
    static getDerivedStateFromError({ message }: Error) {
      return { message }
    }
    override render() {
      return this.state.message ? <p role="alert">{this.state.message}</p> : this.props.children
    }
  }
  function Reader(): ReactNode {
    useController()
    return null
  }
  render(
    <Boundary>
      <Reader />
    </Boundary>,
  )
  expect(screen.getByRole('alert').textContent).toContain('DataProvider')
  vi.restoreAllMocks()
})
