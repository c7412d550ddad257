import { inspect } from 'node:util'
import { batch, type ControllerOptions, NetworkError, resource, retry } from '@roundtable/core'
import { ConflictError, type HttpOptions, type Resolution, withHttp } from '@roundtable/core/http'
import { describe, expect, test, vi } from 'vitest'
import { settle } from '../engine/clock.js'
import type { Answer } from '../engine/fake-transport.js'
import { EtagServer, milk, openClient, type StoredTodo, Todo } from './etag-server.js'

/** Two clients that have both read todo 1. */
async function twoClients(http: HttpOptions = {}, server = new EtagServer(milk)) {
  const [ann, bob] = [
    openClient(server, { ifMatch: 'update', ...http }),
    openClient(server, { ifMatch: 'update', ...http }),
  ]
  for (const { controller, Todos } of [ann, bob]) await controller.fetch(Todos.get, { id: 1 })
  const patch = ({ controller, Todos }: typeof ann, body: Partial<StoredTodo>) =>
    controller.fetch(Todos.partialUpdate, { id: 1 }, body)
  const shown = ({ controller }: typeof ann) => controller.get(Todo, { id: 1 })
  const stored = () => server.rows.get(1)
  return { server, ann, bob, patch, shown, stored }
}

const errorOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error) => error,
  )

describe("ifMatch: 'update'", () => {
  test('two clients that PATCH different fields both win', async () => {
    const { ann, bob, patch, shown, stored } = await twoClients()
    await patch(ann, { title: 'Tea' })
    expect(await patch(bob, { note: 'two' })).toMatchObject({ title: 'Tea', note: 'two' })
    expect(stored()).toMatchObject({ title: 'Tea', note: 'two' })
    expect(shown(bob)).toMatchObject({ title: 'Tea', note: 'two' })
    expect(bob.requests()).toEqual(['GET /todos/1', 'PATCH /todos/1 if "v1"', 'GET /todos/1', 'PATCH /todos/1 if "v2"'])
  })

  test('the same field gives ConflictError, and theirs stays', async () => {
    const { ann, bob, patch, shown, stored } = await twoClients()
    await patch(ann, { title: 'Tea' })
    const error = await errorOf(patch(bob, { title: 'Beer' }))
    expect(error).toBeInstanceOf(ConflictError)
    expect(error).toMatchObject({
      code: 'CONFLICT',
      method: 'PATCH',
      url: '/todos/1',
      base: { title: 'Milk' },
      mine: { title: 'Beer' },
      theirs: { title: 'Tea' },
    })
    expect((error as Error).cause).toBeInstanceOf(NetworkError)
    expect(JSON.stringify(error)).not.toContain('Beer')
    expect(inspect(error)).not.toMatch(/Milk|Beer|Tea/)
    expect(stored()).toMatchObject({ title: 'Tea' })
    expect(shown(bob)).toMatchObject({ title: 'Tea' })
  })

  test('also if theirs is read while mine is on its way', async () => {
    const server = new EtagServer(milk)
    const { answer } = server
    let go = (): void => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const { ann, bob, patch, stored } = await twoClients({}, server)
    Object.assign(server, {
      answer: async (request: Parameters<typeof answer>[0]) => {
        if (request.method === 'PATCH') await held
        return answer(request)
      },
    })
    const late = openClient({ answer: (request) => server.answer(request) }, { ifMatch: 'update' })
    await late.controller.fetch(late.Todos.get, { id: 1 })
    const error = errorOf(patch(late, { title: 'Beer' }))
    await settle()
    server.change(1, { title: 'Tea' })
    await late.controller.fetch(late.Todos.get, { id: 1 })
    go()
    expect(await error).toMatchObject({ base: { title: 'Milk' }, theirs: { title: 'Tea' } })
    expect(stored()).toMatchObject({ title: 'Tea' })
    expect([ann.seen, bob.seen].map(({ length }) => length)).toEqual([1, 1])
  })

  describe('what is read before mine is sent, or sent again, is not overwritten', () => {
    /** A client whose first mutations wait, and somebody else. */
    async function slowClient(options?: ControllerOptions) {
      const server = new EtagServer(milk)
      const waiting: ((response?: Response) => void)[] = []
      const answer: Answer = async (request) => {
        const isHeld = request.method !== 'GET' && waiting.length < 1
        const given = isHeld ? await new Promise<Response | undefined>((resolve) => waiting.push(resolve)) : undefined
        return given ?? server.answer(request)
      }
      const client = openClient({ answer }, { ifMatch: 'update' }, options)
      const read = () => client.controller.fetch(client.Todos.get, { id: 1 })
      const send = (body: Partial<StoredTodo>) =>
        errorOf(client.controller.fetch(client.Todos.partialUpdate, { id: 1 }, body))
      await read()
      return { ...client, server, read, send, waiting, stored: () => server.rows.get(1) }
    }

    test('by one that waited for another of my own', async () => {
      const { server, read, send, waiting, stored } = await slowClient()
      const [first, second, third] = [send({ note: 'two' }), send({ title: 'Beer' }), send({ done: true })]
      await settle()
      server.change(1, { title: 'Tea' })
      await read()
      waiting[0]?.()
      expect(await second).toMatchObject({ base: { title: 'Milk' }, mine: { title: 'Beer' }, theirs: { title: 'Tea' } })
      expect([await first, await third]).toEqual(['no error', 'no error'])
      expect(stored()).toMatchObject({ title: 'Tea', note: 'two', done: true })
    })

    test('by one that is repeated', async () => {
      const { server, clock, read, send, waiting, stored } = await slowClient({
        retry: retry({ methods: ['PATCH'], delay: () => 100 }),
      })
      const change = send({ title: 'Beer' })
      await settle()
      waiting[0]?.(new Response('busy', { status: 503 }))
      await settle()
      server.change(1, { title: 'Tea' })
      await read()
      await clock.advance(100)
      expect(await change).toMatchObject({ base: { title: 'Milk' }, mine: { title: 'Beer' }, theirs: { title: 'Tea' } })
      expect(stored()).toMatchObject({ title: 'Tea' })
    })

    test('but my own change of the same field is', async () => {
      const { send, waiting, read, server, stored } = await slowClient()
      const [first, second] = [send({ title: 'Beer' }), send({ title: 'Wine' })]
      await settle()
      server.change(1, { note: 'theirs' })
      await read()
      waiting[0]?.()
      expect([await first, await second]).toEqual(['no error', 'no error'])
      expect(stored()).toMatchObject({ title: 'Wine', note: 'theirs' })
    })

    test('and a deletion right after my own change is no conflict', async () => {
      const { send, waiting, stored, Todos, controller } = await slowClient()
      const first = send({ title: 'Beer' })
      const second = errorOf(controller.fetch(Todos.delete, { id: 1 }))
      await settle()
      waiting[0]?.()
      expect([await first, await second]).toEqual(['no error', 'no error'])
      expect(stored()).toBeUndefined()
    })

    test('and neither is a PUT after my own change of a field that it sends as it was', async () => {
      const { send, waiting, stored, Todos, controller } = await slowClient()
      const first = send({ title: 'Beer' })
      const second = errorOf(controller.fetch(Todos.update, { id: 1 }, { title: 'Beer', note: 'all', done: true }))
      await settle()
      waiting[0]?.()
      expect([await first, await second]).toEqual(['no error', 'no error'])
      expect(stored()).toMatchObject({ title: 'Beer', note: 'all', done: true })
    })

    test('nor what one that was given up had wanted to change', async () => {
      const { send, waiting, read, server, stored, Todos, controller } = await slowClient()
      const first = send({ note: 'mine' })
      const second = errorOf(controller.fetch(Todos.delete, { id: 1 }))
      await settle()
      server.change(1, { note: 'theirs' })
      await read()
      waiting[0]?.()
      expect(await first).toBeInstanceOf(ConflictError)
      expect(await second).toBeInstanceOf(ConflictError)
      expect(stored()).toMatchObject({ note: 'theirs' })
    })
  })

  test('shows mine until it is decided', async () => {
    const { ann, bob, patch, shown } = await twoClients()
    await patch(ann, { title: 'Tea' })
    const mine = errorOf(patch(bob, { title: 'Beer' }))
    expect(shown(bob)?.title).toBe('Beer')
    await mine
    expect(shown(bob)?.title).toBe('Tea')
  })

  test('to the same value is no conflict', async () => {
    const { ann, bob, patch, stored } = await twoClients()
    await patch(ann, { title: 'Tea', done: true })
    await patch(bob, { title: 'Tea', note: 'two' })
    expect(stored()).toMatchObject({ title: 'Tea', done: true, note: 'two' })
  })

  test('fields of the body that mine left as they were overwrite nothing', async () => {
    const { ann, bob, patch, stored } = await twoClients()
    await patch(ann, { title: 'Tea' })
    await patch(bob, { title: 'Milk', note: 'two' })
    expect(stored()).toMatchObject({ title: 'Tea', note: 'two' })
  })

  test('PUT sends the whole row with their changes', async () => {
    const { ann, bob, patch, stored } = await twoClients()
    await patch(ann, { title: 'Tea' })
    await bob.controller.fetch(bob.Todos.update, { id: 1 }, { ...milk, note: 'two' })
    expect(stored()).toMatchObject({ title: 'Tea', note: 'two' })
    expect(bob.seen.at(-1)?.body).toBe(JSON.stringify({ ...milk, title: 'Tea', note: 'two' }))
  })

  test('DELETE of what has changed is a conflict, and the row comes back', async () => {
    const { ann, bob, patch, shown, stored } = await twoClients()
    await patch(ann, { title: 'Tea' })
    const error = await errorOf(bob.controller.fetch(bob.Todos.delete, { id: 1 }))
    expect(error).toBeInstanceOf(ConflictError)
    expect(error).toMatchObject({ mine: undefined, theirs: { title: 'Tea' } })
    expect(stored()).toBeDefined()
    expect(shown(bob)).toMatchObject({ title: 'Tea' })
  })

  test('DELETE of what has not changed is sent with its validator', async () => {
    const { ann, shown } = await twoClients()
    await ann.controller.fetch(ann.Todos.delete, { id: 1 })
    expect(ann.requests().at(-1)).toBe('DELETE /todos/1 if "v1"')
    expect(shown(ann)).toBeUndefined()
  })

  test('if it changes again meanwhile, one retry is all', async () => {
    const { server, ann, bob, patch } = await twoClients()
    await patch(ann, { title: 'Tea' })
    const { answer } = server
    let edits = 0
    Object.assign(server, {
      answer: (request: Parameters<typeof answer>[0]) => {
        // Somebody types all the time.
        if (request.method === 'PATCH') server.change(1, { title: `Tea ${++edits}` })
        return answer(request)
      },
    })
    const busy = openClient({ answer: (request) => server.answer(request) }, { ifMatch: 'update' })
    await busy.controller.fetch(busy.Todos.get, { id: 1 })
    const error = await errorOf(busy.controller.fetch(busy.Todos.partialUpdate, { id: 1 }, { note: 'two' }))
    expect(error).toBeInstanceOf(ConflictError)
    expect(busy.seen.filter(({ method }) => method === 'PATCH')).toHaveLength(2)
    expect(bob.seen).toHaveLength(1)
  })

  test('if a read had brought theirs already, and it changes again meanwhile, it is retried too', async () => {
    const { server, ann, patch, stored } = await twoClients()
    const { answer } = server
    let edits = 0
    Object.assign(server, {
      answer: async (request: Parameters<typeof answer>[0]) => {
        if (request.method === 'PATCH' && edits++ < 2) server.change(1, { title: `Tea ${edits}` })
        return answer(request)
      },
    })
    const busy = openClient({ answer: (request) => server.answer(request) }, { ifMatch: 'update' })
    await busy.controller.fetch(busy.Todos.get, { id: 1 })
    const first = errorOf(busy.controller.fetch(busy.Todos.partialUpdate, { id: 1 }, { title: 'Beer' }))
    const second = errorOf(busy.controller.fetch(busy.Todos.partialUpdate, { id: 1 }, { note: 'two' }))
    expect(await first).toBeInstanceOf(ConflictError)
    expect(await second).toBe('no error')
    expect(stored()).toMatchObject({ title: 'Tea 2', note: 'two' })
    expect(await errorOf(patch(ann, { done: true }))).toBe('no error')
  })

  test('the validator of what has changed is fetched by itself, whatever is batched', async () => {
    const { server, patch, bob } = await twoClients()
    server.rows.set(2, { ...milk, id: 2, version: 1 })
    const { controller, Api, requests } = openClient(server, {})
    const BatchApi = withHttp(Api, { ifMatch: 'update' })
    const Todos = resource({
      path: '/todos/:id',
      schema: Todo,
      Endpoint: BatchApi,
      batch: batch({ path: '/todos?id=:ids' }),
    })
    const [one, two] = [{ id: 1 }, { id: 2 }]
    for (const params of [one, two]) await controller.fetch(Todos.get, params)
    await patch(bob, { title: 'Tea' })
    server.change(2, { title: 'Tea' })
    const changes = [one, two].map((params) => controller.fetch(Todos.partialUpdate, params, { note: 'two' }))
    await Promise.all(changes)
    expect(requests().slice(4).sort()).toEqual([
      'GET /todos/1',
      'GET /todos/2',
      'PATCH /todos/1 if "v2"',
      'PATCH /todos/2 if "v2"',
    ])
  })

  test('two of my own edits at once are sent one after the other: they are no conflict', async () => {
    const { ann, patch, stored } = await twoClients()
    await Promise.all([patch(ann, { title: 'T' }), patch(ann, { title: 'Te' }), patch(ann, { title: 'Tea' })])
    expect(stored()).toMatchObject({ title: 'Tea', version: 4 })
    expect(ann.requests().slice(1)).toEqual([
      'PATCH /todos/1 if "v1"',
      'PATCH /todos/1 if "v2"',
      'PATCH /todos/1 if "v3"',
    ])
  })

  test('a read that an acknowledged edit has overtaken brings no validator: the next edit is one request', async () => {
    const server = new EtagServer(milk)
    let isSlow = false
    let release = (): void => {}
    const answer: Answer = async (request) => {
      const response = await server.answer(request)
      if (isSlow && request.method === 'GET') await new Promise<void>((resolve) => (release = resolve))
      return response
    }
    const client = openClient({ answer }, { ifMatch: 'update' })
    const { controller, Todos, requests } = client
    await controller.fetch(Todos.get, { id: 1 })
    isSlow = true
    const overtaken = controller.fetch(Todos.get, { id: 1 })
    await settle()
    isSlow = false
    await controller.fetch(Todos.partialUpdate, { id: 1 }, { title: 'Tea' })
    release()
    await overtaken
    await controller.fetch(Todos.partialUpdate, { id: 1 }, { note: 'two' })
    expect(requests().slice(2)).toEqual(['PATCH /todos/1 if "v1"', 'PATCH /todos/1 if "v2"'])
    expect(server.rows.get(1)).toMatchObject({ title: 'Tea', note: 'two' })
  })

  test('of two edits of a row without a validator, the second is based on the response to the first', async () => {
    const server = new EtagServer(milk)
    let release = (): void => {}
    const answer: Answer = async (request) => {
      const isFirst = requests().length === 1
      const response = await server.answer(request)
      if (isFirst) await new Promise<void>((resolve) => (release = resolve))
      if (String(request.body).includes('Tea')) server.change(1, { title: 'Beer' })
      return response
    }
    const { controller, Todos, requests } = openClient({ answer }, { ifMatch: 'update' })
    const overtaken = controller.fetch(Todos.get, { id: 1 })
    await controller.fetch(Todos.partialUpdate, { id: 1 }, { done: true })
    release()
    await overtaken
    const patch = (body: Partial<StoredTodo>) => controller.fetch(Todos.partialUpdate, { id: 1 }, body)
    await Promise.all([patch({ title: 'Tea' }), patch({ note: 'two' })])
    expect(server.rows.get(1)).toMatchObject({ title: 'Beer', note: 'two', done: true })
    const patches = requests().filter((line) => line.startsWith('PATCH'))
    expect(patches.slice(1)).toEqual(['PATCH /todos/1', 'PATCH /todos/1 if "v3"', 'PATCH /todos/1 if "v4"'])
  })

  test('one that fails does not hold back the next', async () => {
    const server = new EtagServer(milk)
    let isDown = false
    const client = openClient(
      { answer: (request) => (isDown ? Promise.reject(new TypeError('fetch failed')) : server.answer(request)) },
      { ifMatch: 'update' },
    )
    await client.controller.fetch(client.Todos.get, { id: 1 })
    isDown = true
    const first = errorOf(client.controller.fetch(client.Todos.partialUpdate, { id: 1 }, { title: 'Tea' }))
    const second = errorOf(client.controller.fetch(client.Todos.partialUpdate, { id: 1 }, { title: 'Beer' }))
    expect([await first, await second]).toMatchObject([{ name: 'TransportError' }, { name: 'TransportError' }])
  })

  test('one that is aborted does not hold back the next', async () => {
    const server = new EtagServer(milk)
    let hangs = true
    const client = openClient(
      {
        answer: (request) => {
          if (request.method === 'GET' || !hangs) return server.answer(request)
          hangs = false
          return new Promise((_, reject) => {
            request.signal?.addEventListener('abort', () => reject(request.signal?.reason))
          })
        },
      },
      { ifMatch: 'update' },
    )
    await client.controller.fetch(client.Todos.get, { id: 1 })
    const abort = new AbortController()
    const signalled = client.Todos.partialUpdate.extend({ signal: abort.signal })
    const first = errorOf(client.controller.fetch(signalled, { id: 1 }, { title: 'Tea' }))
    const second = client.controller.fetch(client.Todos.partialUpdate, { id: 1 }, { title: 'Beer' })
    await settle()
    abort.abort()
    expect(await first).toMatchObject({ name: 'AbortError' })
    expect(await second).toMatchObject({ title: 'Beer' })
  })

  test('one that waited when the session ended is never sent', async () => {
    const server = new EtagServer(milk)
    const neverEdits: Answer = (request) =>
      request.method === 'GET'
        ? server.answer(request)
        : new Promise((_, reject) => request.signal?.addEventListener('abort', () => reject(request.signal?.reason)))
    const { controller, Todos, requests } = openClient({ answer: neverEdits }, { ifMatch: 'update' })
    await controller.fetch(Todos.get, { id: 1 })
    const edits = ['Tea', 'Beer'].map((title) => errorOf(controller.fetch(Todos.partialUpdate, { id: 1 }, { title })))
    await settle()
    controller.resetEntireStore()
    expect(await Promise.all(edits)).toMatchObject([{ name: 'ResetError' }, { name: 'ResetError' }])
    await settle()
    expect(requests()).toEqual(['GET /todos/1', 'PATCH /todos/1 if "v1"'])
  })

  test('a response to a mutation without a validator: the next one is sent without', async () => {
    const server = new EtagServer(milk)
    server.tagsUpdates = false
    const { ann, patch } = await twoClients({}, server)
    await patch(ann, { title: 'Tea' })
    await patch(ann, { title: 'Beer' })
    await ann.controller.fetch(ann.Todos.get, { id: 1 })
    await patch(ann, { title: 'Milk' })
    expect(ann.requests().slice(1)).toEqual([
      'PATCH /todos/1 if "v1"',
      'PATCH /todos/1',
      'GET /todos/1',
      'PATCH /todos/1 if "v3"',
    ])
  })

  test('is not sent with a weak validator, for a row that only a list brought, nor without the option', async () => {
    const server = new EtagServer(milk)
    server.isWeak = true
    const { ann, patch } = await twoClients({}, server)
    await patch(ann, { title: 'Tea' })
    expect(ann.requests().at(-1)).toBe('PATCH /todos/1')
    server.isWeak = false
    const lister = openClient(server, { ifMatch: 'update' })
    await lister.controller.fetch(lister.Todos.getList)
    await lister.controller.fetch(lister.Todos.partialUpdate, { id: 1 }, { title: 'Beer' })
    expect(lister.requests().at(-1)).toBe('PATCH /todos/1')
    const off = openClient(server, { etag: true })
    await off.controller.fetch(off.Todos.get, { id: 1 })
    await off.controller.fetch(off.Todos.partialUpdate, { id: 1 }, { title: 'Milk' })
    expect(off.requests().at(-1)).toBe('PATCH /todos/1')
  })

  test('what is sent without a validator warns once for each endpoint, in development', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const server = new EtagServer(milk)
    const { controller, Todos } = openClient(server, { ifMatch: 'update' })
    await controller.fetch(Todos.getList)
    for (const title of ['Beer', 'Tea']) await controller.fetch(Todos.partialUpdate, { id: 1 }, { title })
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^Todo\.partialUpdate is sent without If-Match, so it may/)],
    ])
    await controller.fetch(Todos.get, { id: 1 })
    await controller.fetch(Todos.delete, { id: 1 })
    expect(warn).toHaveBeenCalledTimes(1)
    warn.mockRestore()
  })
})

describe('onConflict', () => {
  const decide = async (resolution: unknown) => {
    const asked: ConflictError[] = []
    const { ann, bob, patch, shown, stored } = await twoClients({
      onConflict: (conflict) => {
        asked.push(conflict)
        if (resolution instanceof Error) throw resolution
        return resolution as Resolution
      },
    })
    await patch(ann, { title: 'Tea' })
    const outcome = await patch(bob, { title: 'Beer' }).catch((error: Error) => error)
    return { asked, outcome, stored: stored()?.title, shown: shown(bob)?.title }
  }

  test("'retry' sends mine over theirs", async () => {
    const { asked, ...after } = await decide('retry')
    expect(after).toMatchObject({ outcome: { title: 'Beer' }, stored: 'Beer', shown: 'Beer' })
    expect(asked).toMatchObject([{ mine: { title: 'Beer' }, theirs: { title: 'Tea' } }])
  })

  test("'drop' gives mine up: the call resolves with theirs", async () => {
    expect(await decide('drop')).toMatchObject({ outcome: { title: 'Tea' }, stored: 'Tea', shown: 'Tea' })
  })

  test('fields are sent instead', async () => {
    const after = await decide({ title: 'Tea and beer' })
    expect(after).toMatchObject({ outcome: { title: 'Tea and beer' }, stored: 'Tea and beer', shown: 'Tea and beer' })
  })

  test('a promise is waited for', async () => {
    expect(await decide(Promise.resolve('retry'))).toMatchObject({ stored: 'Beer' })
  })

  test('nothing, or nonsense, leaves it a conflict', async () => {
    for (const nothing of [undefined, null, 5, 'mine']) {
      expect(await decide(nothing)).toMatchObject({ outcome: { name: 'ConflictError' }, stored: 'Tea', shown: 'Tea' })
    }
  })

  test('that throws is a CallbackError', async () => {
    expect(await decide(new Error('oops'))).toMatchObject({
      outcome: { name: 'CallbackError', cause: { message: 'oops' } },
      stored: 'Tea',
      shown: 'Tea',
    })
  })
})

test.each([
  [{ etags: true }, "Option 'withHttp.etags' is unknown. The options are cache, etag, ifMatch, onConflict."],
  [{ ifMatch: true }, "Option 'withHttp.ifMatch' cannot be boolean true."],
  [{ onConflict: 'retry' }, 'Option \'withHttp.onConflict\' cannot be the text "retry".'],
])('%j is refused', (options, message) => {
  expect(() => openClient(new EtagServer(), options as HttpOptions)).toThrow(message)
})
