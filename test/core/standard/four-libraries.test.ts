import { Controller, OptionError, RestEndpoint, resource, SchemaError, UrlParamError } from '@roundtable/core'
import { entityOf, output, type StandardSchema, sends } from '@roundtable/core/schema'
import { settle } from '@roundtable/core/testing'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { libraries } from './libraries.js'

const ann = { id: 7, name: 'Ann' }
const milk = { id: 1, title: 'Milk', due: '2026-03-02T10:00:00Z', owner: ann }
const bread = { id: 2, title: 'Bread', due: '2026-03-03T10:00:00Z', owner: ann }

/** A schema that counts how often it is asked. */
function counted<S extends StandardSchema>(schema: S): { readonly schema: S; readonly calls: () => number } {
  const validate = vi.fn(schema['~standard'].validate)
  // Only the function is another one.
  const same = { '~standard': { ...schema['~standard'], validate } } as unknown as S
  return { schema: same, calls: () => validate.mock.calls.length }
}

/** A controller whose server answers with whatever `answer` is at the time. */
function open(): { controller: Controller; server: { answer: unknown; sent: Request[] }; errors: Error[] } {
  const server = { answer: undefined as unknown, sent: [] as Request[] }
  const errors: Error[] = []
  const controller = new Controller({
    onError: (error) => errors.push(error),
    transport: async (url, init) => {
      server.sent.push(new Request(url, init))
      return Response.json(server.answer)
    },
  })
  controllers.push(controller)
  return { controller, server, errors }
}

const controllers: Controller[] = []
const warn = vi.spyOn(console, 'warn')
afterAll(() => {
  warn.mockRestore()
})
beforeEach(() => {
  warn.mockReset().mockImplementation(() => {})
})
afterEach(() => {
  for (const controller of controllers.splice(0)) controller.dispose()
  expect(warn).not.toHaveBeenCalled()
})

describe.each(libraries)('with $name', (library) => {
  class User extends entityOf(library.User, { key: 'User' }) {}

  function todos(validation?: 'throw' | 'report' | 'off', schema = library.Todo) {
    class Todo extends entityOf(schema, {
      key: 'Todo',
      convert: { due: (iso) => new Date(iso) },
      relations: { owner: User },
      validation,
    }) {
      get isMilk(): boolean {
        return this.title === 'Milk'
      }
    }
    const TodoResource = resource({
      urlPrefix: 'https://api.test',
      path: '/todos/:id',
      name: 'Todo',
      schema: Todo,
      searchParams: {} as { userId?: number },
      optimistic: true,
    })
    return { Todo, TodoResource, ...open() }
  }

  test('a row has the fields of the schema, with conversions, relations and the members of its class', async () => {
    const { Todo, TodoResource, controller, server } = todos()
    server.answer = [milk, bread]
    const [first] = await controller.fetch(TodoResource.getList, { userId: 1 })
    expect(first).toBeInstanceOf(Todo)
    expect(first?.isMilk).toBe(true)
    expect(first?.due.getUTCMonth()).toBe(2)
    expect(first?.owner).toBe(controller.get(User, { id: 7 }))
    expect(first?.owner?.name).toBe('Ann')
  })

  test('a row that is not valid refuses its response, by the name of the endpoint, the address and the place', async () => {
    const { Todo, TodoResource, controller, server } = todos()
    server.answer = [milk, bread, { ...milk, id: 3, due: 'tomorrow' }]
    const error = await controller.fetch(TodoResource.getList, { userId: 1 }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SchemaError)
    expect(error).toMatchObject({ path: '$[2].due', expected: 'a valid Todo' })
    expect((error as Error).message).toMatch(
      /^Todo\.getList \(GET https:\/\/api\.test\/todos\?userId=1\): Todo at \$\[2\]\.due is not valid: \S.*[^.]\. Correct the response, or the schema\./,
    )
    expect(controller.get(Todo, { id: 1 })).toBeUndefined()
  })

  test('a nested row that is not valid is named by its own class', async () => {
    const { TodoResource, controller, server } = todos()
    server.answer = { ...milk, owner: { id: 7, name: 8 } }
    await expect(controller.fetch(TodoResource.get, { id: 1 })).rejects.toMatchObject({
      path: '$.owner.name',
      expected: 'a valid User',
    })
  })

  test('a relation that is no object is an issue of the row', async () => {
    const { TodoResource, controller, server } = todos()
    server.answer = [{ ...milk, owner: 7 }]
    await expect(controller.fetch(TodoResource.getList)).rejects.toMatchObject({ path: '$[0].owner' })
  })

  test('a part of a row is fine, alone and nested, but not if a field that it has is wrong', async () => {
    const { Todo, TodoResource, controller, server } = todos()
    server.answer = milk
    await controller.fetch(TodoResource.get, { id: 1 })
    server.answer = { id: 1, title: 'Oat milk', owner: { id: 7 } }
    await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'Oat milk' })
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'Oat milk', owner: { name: 'Ann' } })
    server.answer = { id: 1, title: '' }
    await expect(controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: '' })).rejects.toMatchObject({
      path: '$.title',
    })
    expect(controller.get(Todo, { id: 1 })?.title).toBe('Oat milk')
  })

  test('what the page sets is judged too, but a row that it gives back is its own', () => {
    const { Todo, controller } = todos()
    controller.set(Todo, { id: 1 }, milk)
    controller.set(Todo, { id: 1 }, (todo) => todo && { ...todo, title: 'Oat milk' })
    expect(controller.get(Todo, { id: 1 })?.title).toBe('Oat milk')
    expect(() => controller.set(Todo, { id: 1 }, { title: '' })).toThrow(/Todo at \$\.title is not valid/)
  })

  test('an optimistic response is not judged, the response of the server is', async () => {
    const { schema, calls } = counted(library.Todo)
    const { Todo, TodoResource, controller, server } = todos('throw', schema)
    server.answer = milk
    await controller.fetch(TodoResource.get, { id: 1 })
    const before = calls()
    server.answer = { ...milk, title: 'Oat milk' }
    const done = controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: '' })
    expect(controller.get(Todo, { id: 1 })?.title).toBe('')
    expect(calls()).toBe(before)
    await done
    expect(calls()).toBe(before + 1)
  })

  test('an identical response is not judged again, nor is a part of what is stored, nor a row that comes twice', async () => {
    const users = counted(library.User)
    const rows = counted(library.Todo)
    class Owner extends entityOf(users.schema, { key: 'User' }) {}
    class Todo extends entityOf(rows.schema, { key: 'Todo', relations: { owner: Owner } }) {}
    const TodoResource = resource({ urlPrefix: 'https://api.test', path: '/todos/:id', schema: Todo })
    const { controller, server } = open()
    const list = Array.from({ length: 1_000 }, (_, at) => ({ ...milk, id: at }))
    server.answer = list
    await controller.fetch(TodoResource.getList)
    expect([rows.calls(), users.calls()]).toEqual([1_000, 1])
    await controller.fetch(TodoResource.getList)
    server.answer = list.map(({ id, title }) => ({ title, id }))
    await controller.fetch(TodoResource.getList)
    expect([rows.calls(), users.calls()]).toEqual([1_000, 1])
    server.answer = list.map((row) => (row.id === 500 ? { ...row, title: 'Bread' } : row))
    await controller.fetch(TodoResource.getList)
    expect([rows.calls(), users.calls()]).toEqual([1_001, 1])
  })

  test("with 'report' the rows are kept, and each field is reported once, with the place of the first", async () => {
    const { Todo, TodoResource, controller, server, errors } = todos('report')
    server.answer = [milk, { ...milk, id: 2, title: '' }, { ...milk, id: 3, title: '' }, { ...milk, id: 4, note: 5 }]
    await controller.fetch(TodoResource.getList)
    expect(controller.get(Todo, { id: 3 })).toMatchObject({ title: '' })
    expect(errors).toMatchObject([{ path: '$[1].title' }, { path: '$[3].note' }])
    expect(errors[0]).toBeInstanceOf(SchemaError)
    expect(errors[0]?.message).toContain('Todo.getList (GET https://api.test/todos): Todo at $[1].title is not valid: ')
  })

  test("with 'off' nothing is judged", async () => {
    const { schema, calls } = counted(library.Todo)
    const { TodoResource, controller, server, errors } = todos('off', schema)
    server.answer = [{ ...milk, title: '' }]
    await controller.fetch(TodoResource.getList)
    expect(calls()).toBe(0)
    expect(errors).toEqual([])
  })

  test('a schema that changes a value is told once, with the field, and the row stays as it came', async () => {
    class Late extends entityOf(library.Rewriting, { key: 'Late' }) {}
    class Done extends entityOf(library.Defaulting, { key: 'Done' }) {}
    const { controller, server } = open()
    const getLate = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/late', schema: [Late] })
    const getDone = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/done', schema: [Done] })
    server.answer = [
      { id: 1, due: milk.due },
      { id: 2, due: milk.due },
    ]
    const [first] = await controller.fetch(getLate)
    expect(first?.due).toBe(milk.due)
    server.answer = [{ id: 1 }]
    await controller.fetch(getDone)
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining("The schema of Late changes 'due', but rows are stored as the server sent them")],
      [expect.stringContaining("The schema of Done changes 'done', but rows are stored as the server sent them")],
    ])
    warn.mockReset()
  })

  test('a conversion may do what the schema would, without a warning', async () => {
    class Converted extends entityOf(library.Rewriting, {
      key: 'Converted',
      convert: { due: (iso) => new Date(iso) },
    }) {}
    const { controller, server } = open()
    const get = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/one', schema: Converted })
    server.answer = { id: 1, due: milk.due }
    expect((await controller.fetch(get)).due.getUTCDate()).toBe(2)
  })

  const { Asynchronous } = library
  if (Asynchronous !== undefined)
    test('an asynchronous schema is an OptionError', async () => {
      class Slow extends entityOf(Asynchronous, { key: 'Slow' }) {}
      const { controller, server } = open()
      const get = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/slow', schema: Slow })
      server.answer = { id: 1, title: 'Milk' }
      const error = await controller.fetch(get).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(OptionError)
      expect((error as Error).message).toContain("Option 'schema' of Slow returned a promise")
    })

  test('a schema that throws refuses the response, with the error as its cause', async () => {
    const { controller, server } = open()
    class Loud extends entityOf(library.Throwing, { key: 'Loud' }) {}
    const get = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/loud', schema: [Loud] })
    server.answer = [
      { id: 1, title: 'fine' },
      { id: 2, title: 'bang' },
    ]
    const error = await controller.fetch(get).catch((thrown: unknown) => thrown)
    // zod catches it and returns a promise, as for an asynchronous schema.
    if (library.name.startsWith('zod')) expect(error).toBeInstanceOf(OptionError)
    else expect(error).toMatchObject({ path: '$[1]', found: 'data that made it throw' })
    await settle()
    expect((error as Error).cause).toMatchObject({ message: 'exploded' })
  })

  test("with 'report' the row stays, though its schema throws", async () => {
    const { controller, server, errors } = open()
    class Reported extends entityOf(library.Throwing, { key: 'Reported', validation: 'report' }) {}
    const get = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/reported', schema: [Reported] })
    server.answer = [{ id: 2, title: 'bang' }]
    expect(await controller.fetch(get)).toMatchObject([{ title: 'bang' }])
    expect(errors).toMatchObject([{ path: '$[0]', found: expect.stringContaining('its schema threw ') }])
  })

  test('a body that is not valid is not sent', async () => {
    const { controller, server } = open()
    const create = new RestEndpoint({
      urlPrefix: 'https://api.test',
      path: '/users',
      method: 'POST',
      name: 'createUser',
      ...sends(library.User),
    })
    const error = await controller.fetch(create, { id: 1, name: 2 }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SchemaError)
    expect((error as Error).message).toMatch(/^createUser: the body at \$\.name is not valid: .*\. Nothing was sent\./)
    expect(server.sent).toEqual([])
    server.answer = { id: 1 }
    await controller.fetch(create, { id: 1, name: 'Ann' })
    expect(await server.sent[0]?.json()).toEqual({ id: 1, name: 'Ann' })
  })

  test('search params that are not valid make no URL', () => {
    const search = new RestEndpoint({
      urlPrefix: 'https://api.test',
      path: '/search',
      name: 'search',
      searchParams: {} as { userId: number; page?: number },
      ...sends({ searchParams: library.Search }),
    })
    expect(search.url({ userId: 1, page: 2 })).toBe('https://api.test/search?page=2&userId=1')
    expect(() => search.url({ userId: 1, page: 0 })).toThrow(UrlParamError)
    expect(() => search.url({ userId: 1, page: 0 })).toThrow(/^search: param 'page' of \/search is not valid: /)
  })

  test('an answer without rows is checked and typed by output', async () => {
    const { controller, server } = open()
    const getHealth = new RestEndpoint({
      urlPrefix: 'https://api.test',
      path: '/health',
      name: 'getHealth',
      process: output(library.Health),
    })
    server.answer = { status: 'up' }
    expect(await controller.fetch(getHealth)).toEqual({ status: 'up' })
    server.answer = { status: 'sideways' }
    const error = await controller.fetch(getHealth).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SchemaError)
    expect(error).toMatchObject({ path: '$.status', endpoint: 'getHealth', key: 'GET https://api.test/health' })
    expect((error as Error).message).toMatch(
      /^getHealth \(GET https:\/\/api\.test\/health\): The data at \$\.status is not valid: /,
    )
  })
})
