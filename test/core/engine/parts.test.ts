import {
  also,
  batch,
  browserEnv,
  Controller,
  Endpoint,
  Entity,
  NetworkError,
  OptionError,
  type RequestPart,
  RestEndpoint,
  retry,
  TransportError,
} from '@roundtable/core'
import { http, withHttp } from '@roundtable/core/http'
import { inspect } from '@roundtable/core/inspect'
import { describe, expect, test } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

const getCount = new Endpoint(async (): Promise<unknown> => 'fetched', { name: 'getCount' })
const getOther = new Endpoint(async (): Promise<unknown> => 'fetched', { name: 'getOther' })

type Place = 'endpoint' | 'class' | 'controller'

/** What two reads of todos have done, of which the second attempt succeeds, and a third read that fails. */
interface Course {
  readonly controller: Controller
  readonly urls: readonly string[]
  readonly headers: readonly Headers[]
  /** How long the todo is fresh, in s. */
  readonly lifetime: number
  /** True if the failure has left the data on the screen. */
  readonly isSoft: boolean
}

/** A part, and whether it has done its work. */
interface Tried {
  readonly part: RequestPart
  has(course: Course): boolean
}

const tried: { readonly [name: string]: () => Tried } = {
  retry: () => ({
    part: retry({ limit: 1, delay: () => 0, statuses: [503] }),
    has: ({ controller }) => controller.getResponse(getTodo, { id: 2 }).data !== undefined,
  }),
  batch: () => ({
    part: batch({ path: '/todos?id=:ids' }),
    has: ({ urls }) => urls.includes('/todos?id=1%2C2') && !urls.includes('/todos/2'),
  }),
  http: () => ({ part: http({ cache: true }), has: ({ lifetime }) => lifetime === 7 }),
  also: () => ({
    part: also(() => [[getCount, [], 'carried']]),
    has: ({ controller }) => controller.getResponse(getCount).data === 'carried',
  }),
  'another also': () => ({
    part: also(() => [[getOther, [], 'carried']]),
    has: ({ controller }) => controller.getResponse(getOther).data === 'carried',
  }),
  'a simulated network': () => ({
    part: {
      name: 'simulated',
      exchange: ({ init }, next) => {
        const headers = new Headers(init.headers)
        // Twice around one call would show.
        headers.append('x-simulated', 'yes')
        return next({ ...init, headers })
      },
    },
    has: ({ headers }) => headers.every((one) => one.get('x-simulated') === 'yes'),
  }),
  'a log': () => {
    const heard: string[] = []
    return {
      part: {
        name: 'log',
        prepare: () => void heard.push('prepare'),
        read: () => void heard.push('read'),
        wrote: () => void heard.push('wrote'),
      },
      has: () => ['prepare', 'read', 'wrote'].every((one) => heard.includes(one)),
    }
  },
  'a policy': () => ({ part: { name: 'policy', failed: () => 'soft' }, has: ({ isSoft }) => isSoft }),
  'a wrapper': () => {
    const steps: string[] = []
    return {
      part: {
        name: 'wrapper',
        async request(_, next) {
          steps.push('begin')
          return next().finally(() => steps.push('end'))
        },
      },
      has: () => steps.includes('begin') && steps.filter((one) => one === 'begin').length === steps.length / 2,
    }
  },
}

const getTodo = new RestEndpoint({ path: '/todos/:id', schema: Todo })

const NOW = Date.UTC(2026, 0, 1)

/** Reads two todos at once, and then one of them again, which fails. With `isFlaky` the first call of all fails, too. */
async function read(parts: readonly RequestPart[], place: Place, isFlaky: boolean): Promise<Course> {
  const urls: string[] = []
  const headers: Headers[] = []
  let status = isFlaky ? 503 : 200
  const transport = async (input: string | URL | Request, init: RequestInit): Promise<Response> => {
    const url = String(input)
    urls.push(url)
    headers.push(new Headers(init.headers))
    const failed = status
    if (status === 503) status = 200
    if (failed !== 200) return new Response('', { status: failed })
    const ids = decodeURIComponent(url)
      .replace(/^.*[=/]/, '')
      .split(',')
    const todos = ids.map((id) => ({ id: Number(id), title: `todo ${id}` }))
    return Response.json(url.includes('?') ? todos : todos[0], { headers: { 'cache-control': 'max-age=7' } })
  }
  class Api extends RestEndpoint {
    static override readonly parts = place === 'class' ? parts : []
  }
  let get = new Api({ path: '/todos/:id', schema: Todo }) as typeof getTodo
  if (place === 'endpoint') for (const part of parts) get = get.extend({ parts: [part] }) as typeof getTodo
  // The wall clock stands still: how long something takes is no lifetime.
  const env = { ...browserEnv(), now: () => NOW }
  const controller = new Controller({ env, transport, parts: place === 'controller' ? parts : [] })
  await Promise.all([controller.fetch(get, { id: 1 }), controller.fetch(get, { id: 2 })])
  const lifetime = (controller.getResponse(get, { id: 1 }).expiresAt - NOW) / 1_000
  status = 404
  await expect(controller.fetch(get, { id: 1 })).rejects.toMatchObject({ status: 404 })
  return { controller, urls, headers, lifetime, isSoft: controller.getError(get, { id: 1 }) === undefined }
}

describe.each<Place>(['endpoint', 'class', 'controller'])('of one %s', (place) => {
  const names = Object.keys(tried)
  const pairs = names.flatMap((first) => names.filter((one) => one !== first).map((second) => [first, second] as const))

  test.each(pairs)('%s and %s both do their work', async (...pair) => {
    const both = pair.map((name) => (tried[name] as () => Tried)())
    const course = await read(
      both.map(({ part }) => part),
      place,
      pair.includes('retry'),
    )
    expect(both.map(({ has }) => has(course))).toEqual([true, true])
    // Nothing is done that no part does.
    expect(course.lifetime).toBe(pair.includes('http') ? 7 : 60)
    expect(course.isSoft).toBe(pair.includes('a policy'))
  })
})

describe('parts of one request', () => {
  const listed = (name: string, heard: string[]): RequestPart => ({
    name,
    prepare: () => void heard.push(`${name} prepares`),
    async request(_, next) {
      heard.push(`${name} sends`)
      return next()
    },
    async repeat(_, next) {
      heard.push(`${name} tries`)
      return next()
    },
    async exchange({ init }, next) {
      heard.push(`${name} calls`)
      return next(init)
    },
    wrote: () => void heard.push(`${name} wrote`),
  })
  const transport = async (): Promise<Response> => Response.json({ id: 1, title: 'Milk' })

  test("are the controller's, the classes' from the base on, and the endpoint's; the last one goes around the others", async () => {
    const heard: string[] = []
    class Base extends RestEndpoint {
      static override readonly parts: readonly RequestPart[] = [listed('base', heard)]
    }
    class Api extends Base {
      static override readonly parts = [listed('class', heard)]
    }
    const get = new Api({ path: '/todos/:id', schema: Todo, parts: [listed('endpoint', heard)] })
    const controller = new Controller({ transport, parts: [listed('controller', heard)] })
    await controller.fetch(get, { id: 1 })
    const order = ['controller', 'base', 'class', 'endpoint']
    const outermostFirst = [...order].reverse()
    expect(heard).toEqual([
      ...order.map((name) => `${name} prepares`),
      ...outermostFirst.map((name) => `${name} sends`),
      ...outermostFirst.map((name) => `${name} tries`),
      ...outermostFirst.map((name) => `${name} calls`),
      ...order.map((name) => `${name} wrote`),
    ])
  })

  test('go around a call without a controller too, once', async () => {
    const heard: string[] = []
    const get = new RestEndpoint({ path: '/todos/:id', transport, parts: [listed('part', heard)] })
    expect(await get({ id: 1 })).toEqual({ id: 1, title: 'Milk' })
    expect(heard).toEqual(['part sends', 'part tries', 'part calls'])
  })

  test('that are one object count once', async () => {
    const heard: string[] = []
    const part = listed('part', heard)
    const get = new RestEndpoint({ path: '/todos/:id', schema: Todo, parts: [part, part] }).extend({ parts: [part] })
    await new Controller({ transport, parts: [part] }).fetch(get, { id: 1 })
    expect(heard).toHaveLength(5)
  })

  test("of which only the last may be: an endpoint has its own retry in place of the controller's", async () => {
    let calls = 0
    const controller = new Controller({
      retry: retry({ limit: 5, delay: () => 0 }),
      transport: async () => {
        calls++
        return new Response('', { status: 503 })
      },
    })
    const get = new RestEndpoint({ path: '/todos', retry: retry({ limit: 1, delay: () => 0 }) })
    await expect(controller.fetch(get)).rejects.toBeInstanceOf(NetworkError)
    expect(calls).toBe(2)
  })

  test('what a part throws before or around the request is what the request fails with', async () => {
    class Refused extends Error {}
    const refuse = (): never => {
      throw new Refused()
    }
    for (const part of [
      { name: 'refuses', prepare: refuse },
      { name: 'refuses', request: refuse },
      { name: 'refuses', repeat: refuse },
      { name: 'refuses', exchange: refuse },
      { name: 'refuses', read: refuse },
    ] satisfies RequestPart[]) {
      const controller = new Controller({ transport, parts: [part] })
      await expect(controller.fetch(getTodo, { id: 1 })).rejects.toBeInstanceOf(Refused)
      expect(controller.get(Todo, { id: 1 })).toBeUndefined()
    }
  })

  test('what a part throws in the commit is reported, and the others go on', async () => {
    const reported: Error[] = []
    let written = 0
    const broken: RequestPart = {
      name: 'broken',
      wrote: () => {
        throw new Error('no')
      },
    }
    const controller = new Controller({ transport, onError: (error) => reported.push(error), parts: [broken] })
    const counting: RequestPart = { name: 'counting', wrote: () => void written++ }
    const todo = await controller.fetch(getTodo.extend({ parts: [counting] }), { id: 1 })
    expect(todo).toMatchObject({ title: 'Milk' })
    expect(reported).toMatchObject([{ name: 'CallbackError', callback: 'broken' }])
    expect(written).toBe(1)
  })

  test('a failure that a part goes around a 304 with is a failure', async () => {
    let status = 200
    let isBroken = false
    const json = { 'content-type': 'application/json' }
    const controller = new Controller({
      transport: async () =>
        new Response(status === 200 ? '{"id":1}' : null, { status, headers: { ...json, etag: '"1"' } }),
    })
    const broken: RequestPart = {
      name: 'broken',
      async exchange({ init }, next) {
        const response = await next(init)
        if (isBroken) throw new Error('after all')
        return response
      },
    }
    const get = getTodo.extend({ parts: [http({ etag: true }), broken] })
    await controller.fetch(get, { id: 1 })
    status = 304
    await controller.fetch(get, { id: 1 })
    isBroken = true
    await expect(controller.fetch(get, { id: 1 })).rejects.toThrow('after all')
  })

  test('what `also` returns is a part, and no option: it says so', () => {
    const given = also(() => [])
    expect(() => getTodo.extend(given as object)).toThrow(OptionError)
    expect(() => new RestEndpoint({ path: '/todos', ...(given as object) })).toThrow('parts: [also(…)]')
  })
})

describe('what a class and an endpoint do with the same request', () => {
  test('an endpoint of withHttp that also carries others sends If-None-Match', async () => {
    const asked: (string | null)[] = []
    const transport = async (_: unknown, init: RequestInit): Promise<Response> => {
      asked.push(new Headers(init.headers).get('if-none-match'))
      return Response.json({ id: 1 }, { headers: { etag: '"1"' } })
    }
    const controller = new Controller({ transport })
    const Api = withHttp(RestEndpoint, { etag: true })
    const get = new Api({ path: '/todos/:id', schema: Todo, parts: [also(() => [[getCount, [], 1]])] })
    await controller.fetch(get, { id: 1 })
    await controller.fetch(get, { id: 1 })
    expect(asked).toEqual([null, '"1"'])
    expect(controller.getResponse(getCount).data).toBe(1)
  })

  test.each([['before'], ['after']])('what `also` carries %s http has the lifetime of the response', async (place) => {
    const carried = also(() => [[getCount, [], 1]])
    const ours = http({ cache: true })
    const parts = place === 'before' ? [carried, ours] : [ours, carried]
    const controller = new Controller({
      transport: async () => Response.json({ id: 1 }, { headers: { 'cache-control': 'max-age=7' } }),
    })
    await controller.fetch(getTodo.extend({ parts }), { id: 1 })
    const { expiresAt } = controller.getResponse(getCount)
    expect(expiresAt).toBe(controller.getResponse(getTodo, { id: 1 }).expiresAt)
  })

  test('both of two `also` of one endpoint write, also if one was added later', async () => {
    const controller = new Controller({ transport: async () => Response.json({ id: 1 }) })
    const one = getTodo.extend({ parts: [also(() => [[getCount, [], 1]])] })
    const two = one.extend({ parts: [also(() => [[getOther, [], 2]])] })
    await controller.fetch(two, { id: 1 })
    expect([controller.getResponse(getCount).data, controller.getResponse(getOther).data]).toEqual([1, 2])
  })
})

describe('two inspections of one controller', () => {
  test('simulate their networks, and each takes its own away, in either order', async () => {
    for (const [first, second] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const log: string[] = []
      const controller = new Controller({
        transport: async () => {
          log.push('app')
          return Response.json({ id: 1 })
        },
      })
      const both = ['A', 'B'].map((name) => {
        const inspection = inspect(controller)
        inspection.replaceTransport((before) => (...call) => {
          log.push(name)
          return before(...call)
        })
        return inspection
      })
      await controller.fetch(getTodo, { id: 1 })
      both[first]?.stop()
      await controller.fetch(getTodo, { id: 1 })
      both[second]?.stop()
      await controller.fetch(getTodo, { id: 1 })
      const left = 'AB'[second]
      expect(log.join(' ')).toBe(`B A app ${left} app app`)
    }
  })

  test('a network that one simulates fails as a network does, and without it requests go as before', async () => {
    const controller = new Controller({ transport: async () => Response.json({ id: 1 }) })
    const inspection = inspect(controller)
    inspection.replaceTransport(() => async () => {
      throw new TypeError('Failed to fetch')
    })
    await expect(controller.fetch(getTodo, { id: 1 })).rejects.toBeInstanceOf(TransportError)
    inspection.replaceTransport(undefined)
    expect(await controller.fetch(getTodo, { id: 1 })).toMatchObject({ id: 1 })
  })

  test('both hear of commits, and each until it stops', async () => {
    const controller = new Controller()
    const facts: (number | undefined)[] = []
    controller.on('commit', ({ rowCount }) => facts.push(rowCount))
    const [first, second] = [inspect(controller), inspect(controller)]
    controller.set(Todo, { id: 1 }, { title: 'both' })
    first.stop()
    controller.set(Todo, { id: 1 }, { title: 'one' })
    second.stop()
    controller.set(Todo, { id: 1 }, { title: 'none' })
    expect(facts).toEqual([1, 1, undefined])
  })

  test('both know who reads, as long as each looks', () => {
    const controller = new Controller({
      transport: async (url) => Response.json({ id: Number(String(url).slice(-1)) }),
    })
    const [first, second] = [inspect(controller, { stacks: true }), inspect(controller, { stacks: true })]
    const namesOf = (one: typeof first): readonly string[] => one.readers().flatMap(({ names }) => names)
    function readsOne(): void {
      controller.watch(getTodo, { id: 1 }).subscribe(() => {})
    }
    function readsTwo(): void {
      controller.watch(getTodo, { id: 2 }).subscribe(() => {})
    }
    readsOne()
    first.stop()
    readsTwo()
    expect([namesOf(first), namesOf(second)]).toEqual([['readsOne'], ['readsOne', 'readsTwo']])
    second.stop()
  })
})
