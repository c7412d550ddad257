import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  MissingPkError,
  RestEndpoint,
  resource,
  type Schema,
  SchemaError,
  UrlParamError,
  Values,
} from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

/** The error of a call. */
async function failure(run: () => unknown): Promise<Error> {
  try {
    await run()
  } catch (error) {
    return error as Error
  }
  throw new Error('It did not fail.')
}

/** A read that is answered with this. */
function answered(schema: Schema, body: unknown, path = '/todos/:id') {
  const urlPrefix = 'https://ann:secret@api.test'
  return new RestEndpoint({ urlPrefix, path, schema, name: 'getTodo', fetchResponse: async () => Response.json(body) })
}

describe('an error about data that does not fit names the response', () => {
  const facts = { endpoint: 'getTodo', key: 'GET https://api.test/todos/5?token=***' }
  const args = { id: 5, token: 'abc' } as never

  test.each<[name: string, schema: Schema, body: unknown, kind: typeof SchemaError]>([
    ['an object for a list', [Todo], { id: 1 }, SchemaError],
    ['an array for an entity', Todo, [{ id: 1 }], SchemaError],
    ['no primary key', Todo, { title: 'x' }, MissingPkError as never],
    ['no primary key, deep below', { todos: [Todo] }, { todos: [{ id: 1 }, {}] }, MissingPkError as never],
    ['a text for a Collection', new Collection([Todo]), 'text', SchemaError],
    ['no body', Todo, null, SchemaError],
  ])('%s', async (_, schema, body, kind) => {
    const error = await failure(() => new Controller().fetch(answered(schema, body), args))
    expect(error).toBeInstanceOf(kind)
    expect(error).toMatchObject(facts)
    expect(error.message).toContain('GET https://api.test/todos/5?token=***')
    expect(error.stack).toContain(error.message)
    expect(`${error.message}${JSON.stringify(error)}`).not.toMatch(/secret|abc/)
  })

  test('of a mutation, an optimistic response, setResponse and set', async () => {
    const controller = new Controller()
    const TodoResource = resource({ path: '/todos/:id', schema: Todo, name: 'todos' } as never) as never as {
      create: RestEndpoint
    }
    const create = TodoResource.create.extend({ fetchResponse: async () => Response.json({}) } as never)
    expect(await failure(() => controller.fetch(create, {}))).toMatchObject({ key: 'POST /todos' })
    const guess = new Endpoint(async () => ({ id: 1 }), {
      name: 'guess',
      schema: Todo,
      sideEffect: true,
      getOptimisticResponse: () => 5,
    })
    expect(await failure(() => controller.fetch(guess))).toMatchObject({ endpoint: 'guess', key: 'guess []' })
    const getTodo = answered(Todo, {})
    expect(await failure(() => controller.setResponse(getTodo, { id: 5 }, {}))).toMatchObject({
      endpoint: 'getTodo',
      key: 'GET https://api.test/todos/5',
    })
    const set = await failure(() => controller.set(new Collection([Todo]), {}, { data: [] } as never))
    expect(set).toMatchObject({ key: 'set([Todo])' })
    expect(set.message).toMatch(/^set\(\[Todo\]\): .*'data'/)
  })

  test('JSON without a JSON Content-Type: the header is what to correct', async () => {
    const messageOf = async (body: string, schema: Schema = [Todo]): Promise<string> => {
      const transport = async () => new Response(body, { headers: { 'content-type': 'text/plain' } })
      const getTodos = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/todos', schema, transport })
      return (await failure(() => new Controller().fetch(getTodos))).message
    }
    expect(await messageOf('[{"id":1}]')).toContain('. The Content-Type of the response is not JSON.')
    expect(await messageOf('{"id":1}', Todo)).toContain('. The Content-Type of the response is not JSON.')
    expect(await messageOf('soon')).toContain('. Correct the schema')
    const nested = await failure(() => new Controller().fetch(answered([[Todo]], ['{']), args))
    expect(nested.message).not.toContain('Content-Type')
  })

  test('an error that was reported once keeps its message', async () => {
    const known = new SchemaError('$', 'x', 'y')
    const broken = new Endpoint(
      async () => {
        throw known
      },
      { name: 'broken', schema: Todo },
    )
    const { message } = known
    expect(await failure(() => new Controller().fetch(broken))).toBe(known)
    expect(known.message).toBe(message)
  })

  test('in production too', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    try {
      const error = await failure(() => new Controller().fetch(answered([Todo], { data: [] }), args))
      expect(error).toMatchObject(facts)
      expect(error.message).toBe(
        "getTodo (GET https://api.test/todos/5?token=***): The data does not fit its schema at $: expected an array, found an object; the list seems to be in 'data'.",
      )
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

describe('a wrapped error is found', () => {
  test.each<[name: string, schema: Schema, body: unknown, hint: string]>([
    ['an array', [Todo], { data: [] }, "the list seems to be in 'data'"],
    ['a Collection', new Collection([Todo]), { total: 1, items: [{ id: 1 }] }, "the list seems to be in 'items'"],
    ['a list in a field', { page: [Todo] }, { page: { results: [] } }, "the list seems to be in 'results'"],
    ['one of several', [Todo], { data: [], included: [] }, "the list seems to be in 'data' or 'included'"],
    ['an entity', Todo, { data: { id: 1 } }, "The Todo seems to be in 'data'"],
    ['an entity in a list', [Todo], [{ node: { id: 1 } }], "The Todo seems to be in 'node'"],
  ])('%s', async (_, schema, body, hint) => {
    const error = await failure(() => new Controller().fetch(answered(schema, body), { id: 5 }))
    expect(error.message).toContain(hint)
  })

  test('without a name nothing is guessed', async () => {
    const of = (schema: Schema, body: unknown) =>
      failure(() => new Controller().fetch(answered(schema, body), { id: 5 }))
    expect((await of([Todo], { total: 0 })).message).not.toContain('seems')
    expect((await of(Todo, { author: 5 })).message).not.toContain('seems')
    expect((await of(new Values(Todo), [1])).message).not.toContain('seems')
  })
})

describe('invalid params', () => {
  const getTodo = new RestEndpoint({ path: '/todos/:id', name: 'getTodo' })
  const getTodos = new RestEndpoint({ path: '/todos', name: 'getTodos', searchParams: {} as { userId?: number } })
  const given = (args: unknown): never => args as never

  test.each<[found: string, params: unknown, remedy: string]>([
    ['5', 5, '{ id: 5 }'],
    ['true', true, '{ id: … }'],
    ['a string', 'abc', '{ id: … }'],
    ['an array', [5], '{ id: … }'],
    ['a function', () => ({ id: 5 }), '{ id: … }'],
  ])('%s', (found, params, remedy) => {
    for (const call of [() => getTodo.url(given(params)), () => new Controller().watch(getTodo, given(params))]) {
      expect(call).toThrow(UrlParamError)
      expect(call).toThrow(expect.objectContaining({ endpoint: 'getTodo', param: 'id' }))
      expect(call).toThrow(`getTodo: param 'id' of /todos/:id is missing: got ${found}; pass ${remedy}`)
    }
  })

  test('where the path has no params', () => {
    for (const params of [5, 'abc', [5]]) {
      expect(() => getTodos.url(given(params))).toThrow(UrlParamError)
      expect(() => getTodos.url(given(params))).toThrow(/getTodos: .* \/todos .*pass an object/)
    }
    expect(getTodos.url()).toBe('/todos')
    expect(getTodos.url(given(null))).toBe('/todos')
  })

  test('a missing one may arrive later', () => {
    for (const params of [undefined, {}, { id: undefined }]) {
      expect(() => new Controller().watch(getTodo, given(params))).toThrow(
        'getTodo: param \'id\' of /todos/:id is missing. Pass null in place of the arguments for "not yet".',
      )
    }
  })

  test('in production the error has its facts', () => {
    vi.stubEnv('NODE_ENV', 'production')
    try {
      expect(() => getTodo.url(given(5))).toThrow(/^getTodo: param 'id' of \/todos\/:id is missing: got 5\.$/)
      expect(() => getTodo.url(given({}))).toThrow(/^getTodo: param 'id' of \/todos\/:id is missing\.$/)
    } finally {
      vi.unstubAllEnvs()
    }
  })
})
