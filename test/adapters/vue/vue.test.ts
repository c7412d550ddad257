import { Controller, Endpoint, Entity, poll } from '@roundtable/core'
import {
  createDataClient,
  type DLE,
  useCache,
  useController,
  useDLE,
  useQuery,
  useSubscription,
  useSuspense,
} from '@roundtable/vue'
import { mockController } from '@roundtable/vue/testing'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type App,
  computed,
  createApp,
  defineComponent,
  effectScope,
  h,
  isReactive,
  KeepAlive,
  reactive,
  readonly,
  ref,
  Suspense,
  shallowReactive,
  type VNode,
} from 'vue'
import { openBoard, Todo } from '../../core/engine/todo-board.js'
import { expectNoise } from '../expected-noise.js'
import { breathe } from '../harness.js'

class Account extends Entity {
  static override key = 'Account'
  id = ''
  cents = 0
  #currency = '€'

  get balance(): string {
    return `${this.cents / 100} ${this.#currency}`
  }
}

const apps: App[] = []

afterEach(() => {
  for (const app of apps.splice(0)) app.unmount()
})

/** Runs a setup in an app, as a component does, and hands out what it returns. */
async function setUp<Result>(controller: Controller | undefined, setup: () => Result | Promise<Result>) {
  let result: Result | undefined
  const Inner = defineComponent({
    async setup() {
      result = await setup()
      return (): VNode => h('p', 'there')
    },
  })
  const app = createApp(() => h(Suspense, null, { default: () => h(Inner) }))
  apps.push(app.use(createDataClient({ controller })))
  app.mount(document.createElement('main'))
  await breathe()
  return { app, result: result as Result }
}

describe('Vue', () => {
  expectNoise([/<Suspense> is an experimental feature/])

  test('C11: entities keep their class, private fields and identity in Vue’s reactive objects', async () => {
    const controller = new Controller()
    const getAccount = new Endpoint(async (_: { id: string }): Promise<object> => ({}), {
      name: 'getAccount',
      schema: Account,
    })
    controller.setResponse(getAccount, { id: '1' }, { id: '1', cents: 1_250 })
    const inTable = controller.get(Account, { id: '1' })
    const { result } = await setUp(controller, async () => {
      const dle = useDLE(getAccount, { id: '1' })
      const query = useQuery(Account, { id: '1' })
      return { dle, query, suspense: await useSuspense(getAccount, { id: '1' }) }
    })
    const { suspense, dle, query } = result
    for (const account of [suspense.value, dle.data.value, query.value, readonly(suspense).value]) {
      expect(account).toBe(inTable)
      expect(account).toBeInstanceOf(Account)
      expect(account?.balance).toBe('12.5 €')
      expect(isReactive(account)).toBe(false)
    }
    // Snapshots stay as they are, as long as Vue makes only the first level reactive.
    expect(shallowReactive({ account: suspense.value }).account.balance).toBe('12.5 €')
  })

  test('C9: arguments in refs, getters and reactive objects are followed, and requests keep theirs', async () => {
    const { controller, getTodo, server } = openBoard()
    const id = ref('1')
    const args = reactive({ id: '1' })
    const { result } = await setUp(controller, () => ({
      ofGetter: useDLE(getTodo, () => ({ id: id.value })),
      ofReactive: useDLE(getTodo, args),
    }))
    await server.one('getTodo').answer({ id: '1', title: 't1' })
    expect(result.ofGetter.data.value?.title).toBe('t1')
    expect(result.ofReactive.data.value?.title).toBe('t1')
    id.value = '2'
    args.id = '3'
    await breathe()
    expect(server.requests.map((request) => request.args)).toEqual([[{ id: '1' }], [{ id: '2' }], [{ id: '3' }]])
    expect(isReactive(server.requests[2]?.args[0])).toBe(false)
  })

  test('the ref of an awaited read has refetch, which sends one request for the arguments of then', async () => {
    const { controller, getPlain, server } = openBoard()
    for (const id of ['1', '2']) controller.setResponse(getPlain, { id }, id)
    const id = ref('1')
    const { result } = await setUp(controller, async () => {
      const [one, [two]] = await Promise.all([
        useSuspense(getPlain, () => ({ id: id.value })),
        useSuspense([getPlain, { id: '2' }]),
      ])
      return { one, two }
    })
    const { refetch } = result.one
    id.value = '2'
    const both = Promise.all([refetch(), refetch(), result.two.refetch()])
    expect(server.requests.map(({ args }) => args)).toEqual([[{ id: '2' }]])
    await server.one('getPlain').answer('new')
    await both
    expect([result.one.value, result.two.value]).toEqual(['new', 'new'])
  })

  test('fields of an argument may be refs, which are followed', async () => {
    const { controller, getTodo, server } = openBoard()
    const id = ref('1')
    const { result } = await setUp(controller, () => ({
      dle: useDLE(getTodo, { id }),
      computed: useDLE(getTodo, () => ({ id: computed(() => `${id.value}0`) })),
    }))
    await server.one('getTodo', 0).answer({ id: '1', title: 't1' })
    expect(result.dle.data.value?.title).toBe('t1')
    id.value = '2'
    await breathe()
    const requested = server.requests.map((request) => request.args)
    expect(requested.slice(0, 2)).toEqual([[{ id: '1' }], [{ id: '10' }]])
    expect(requested.slice(2)).toHaveLength(2)
    expect(requested.slice(2)).toEqual(expect.arrayContaining([[{ id: '2' }], [{ id: '20' }]]))
  })

  test('"not yet" of an endpoint without arguments is null, and undefined is "now"', async () => {
    const requested: unknown[][] = []
    const getMe = new Endpoint(
      async (...args: []) => {
        requested.push(args)
        return 'Ada'
      },
      { name: 'getMe' },
    )
    const token = ref<string>()
    const controller = new Controller()
    const { result } = await setUp(controller, () => ({
      dle: useDLE(getMe, () => (token.value ? undefined : null)),
      cache: useCache(getMe, () => (token.value ? undefined : null)),
    }))
    expect(result.dle.loading.value).toBe(false)
    token.value = 'secret'
    await breathe()
    expect(result.dle.data.value).toBe('Ada')
    expect(result.cache.value).toBe('Ada')
    expect(requested).toHaveLength(1)
    expect(controller.getResponse(getMe).data).toBe('Ada')
    token.value = undefined
    expect(result.dle.data.value).toBe(undefined)
  })

  test('a composable in a handler, or after an await, throws an error that says where it belongs', async () => {
    const { controller, getTodo } = openBoard()
    const handler: { current?: () => unknown } = {}
    const { result } = await setUp(controller, async () => {
      handler.current = () => useController()
      const late = async (): Promise<unknown> => {
        await Promise.resolve()
        return useDLE(getTodo, { id: '1' })
      }
      return late().catch((error: Error) => error.message)
    })
    expect(result).toMatch(/outside of setup.*before an await/)
    expect(handler.current).toThrow(/outside of setup.*not in a handler/)
  })

  test('without a plugin it throws an error that says what to call', () => {
    const app = createApp({ render: () => null })
    expect(() => app.runWithContext(() => useController())).toThrow('app.use(createDataClient())')
  })

  test('the controller is never made reactive, and may be used as it is', async () => {
    const { controller } = openBoard()
    const { result } = await setUp(controller, () => reactive({ controller: useController() }))
    expect(result.controller).toBe(controller)
    expect(isReactive(result.controller)).toBe(false)
  })

  test('controllers and their observers are never made reactive, wherever they are stored', async () => {
    const { controller, getTodo } = openBoard()
    const watched = {
      controller: new Controller(),
      mock: mockController(),
      query: controller.watch(getTodo, { id: '1' }),
      peek: controller.peek(getTodo, { id: '1' }),
      selection: controller.view(Todo, { id: '1' }),
      fetching: controller.fetching(getTodo, { id: '1' }),
      poll: controller.observe(poll, getTodo.extend({ pollFrequency: 1_000 }), { id: '1' }),
    }
    for (const [name, value] of Object.entries(watched)) {
      expect(ref(value).value, name).toBe(value)
      expect(reactive({ value }).value, name).toBe(value)
    }
    const held = ref(new Controller())
    held.value.set(Todo, { id: '1' }, { title: 't1' })
    expect(held.value.get(Todo, { id: '1' })?.title).toBe('t1')
  })

  test('composables need a scope and an injected controller, no component', async () => {
    const { controller, getTodo, server, clock } = openBoard({ retention: false })
    const app = createApp({ render: () => null }).use(createDataClient({ controller }))
    const scope = effectScope()
    const ticker = getTodo.extend({ abortOnUnused: true })
    const dle = app.runWithContext(() => scope.run(() => useDLE(ticker, { id: '1' })))
    await breathe()
    expect(dle?.loading.value).toBe(true)
    scope.stop()
    await breathe()
    expect(server.one('getTodo').isAborted).toBe(true)
    controller.set(Todo, { id: '1' }, { id: '1', title: 'later' })
    expect(dle?.loading.value).toBe(true)
    expect(clock.pending).toBe(0)
  })

  test('a component that <KeepAlive> hides fetches nothing and is not notified, until it is shown again', async () => {
    const { controller, getTodo, server, clock } = openBoard({ retention: false })
    const ticker = getTodo.extend({ pollFrequency: 1_000 })
    const isShown = ref(true)
    const id = ref('1')
    let renders = 0
    const Page = defineComponent({
      setup() {
        const dle = useDLE(ticker, { id })
        useSubscription(ticker, { id })
        return () => {
          renders++
          return h('p', dle.data.value?.title ?? 'loading')
        }
      },
    })
    const root = document.createElement('main')
    const app = createApp(() => h(KeepAlive, null, { default: () => (isShown.value ? h(Page) : h('i', 'other')) }))
    apps.push(app.use(createDataClient({ controller })))
    app.mount(root)
    await breathe()
    await server.one('getTodo').answer({ id: '1', title: 't1' })
    await clock.advance(1_000)
    await server.one('getTodo', 1).answer({ id: '1', title: 't2' })
    await breathe()
    expect(root.textContent).toBe('t2')
    isShown.value = false
    await breathe()
    const before = renders
    await clock.advance(60_000)
    controller.set(Todo, { id: '1' }, { title: 'edited' })
    id.value = '2'
    await breathe()
    expect(server.requests).toHaveLength(2)
    expect(clock.pending).toBe(0)
    expect(renders).toBe(before)
    id.value = '1'
    isShown.value = true
    await breathe()
    expect(root.textContent).toBe('edited')
    expect(server.requests).toHaveLength(3)
    await server.one('getTodo', 2).answer({ id: '1', title: 't3' })
    await clock.advance(1_000)
    expect(server.requests).toHaveLength(4)
  })

  test('a reader in a scope of its own stays active when the component that created it is hidden', async () => {
    const { controller, getTodo, server } = openBoard()
    const isShown = ref(true)
    let dle: DLE<Todo> | undefined
    const First = defineComponent(() => {
      dle = effectScope(true).run(() => useDLE(getTodo, { id: '1' }))
      return () => h('p')
    })
    const app = createApp(() => h(KeepAlive, null, { default: () => (isShown.value ? h(First) : h('i')) }))
    apps.push(app.use(createDataClient({ controller })))
    app.mount(document.createElement('main'))
    await breathe()
    isShown.value = false
    await breathe()
    await server.one('getTodo').answer({ id: '1', title: 't1' })
    expect(dle?.data.value?.title).toBe('t1')
  })

  test('without a controller an app creates one, and disposes it when it is unmounted', async () => {
    const greet = new Endpoint(async () => 'hello', { name: 'greet' })
    const { app, result } = await setUp(undefined, useController)
    expect(await result.fetch(greet)).toBe('hello')
    app.unmount()
    apps.pop()
    await expect(result.fetch(greet)).rejects.toMatchObject({ name: 'DisposedError' })
  })
})
