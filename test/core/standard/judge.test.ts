import { Controller, Entity, type Judgement, RestEndpoint } from '@roundtable/core'
import { dehydrate, hydrate } from '@roundtable/core/hydration'
import { entityOf, type StandardSchema, sends } from '@roundtable/core/schema'
import { afterEach, describe, expect, test, vi } from 'vitest'

interface Row {
  id: number
  title: string
}

/** A schema made by hand, whose calls are counted. */
function schemaOf(validate: StandardSchema<Row>['~standard']['validate']) {
  const calls = vi.fn(validate)
  const schema: StandardSchema<Row> = { '~standard': { version: 1, vendor: 'hand', validate: calls } }
  return { schema, calls }
}

const accepting = () => schemaOf((value) => ({ value }))
const untitled = () =>
  schemaOf((value) =>
    (value as Row).title === '' ? { issues: [{ message: 'Too short.', path: [{ key: 'title' }] }] } : { value },
  )

let answer: unknown
const errors: Error[] = []
const controllers: Controller[] = []
function open(): Controller {
  const controller = new Controller({
    transport: async () => Response.json(answer),
    onError: (error) => errors.push(error),
  })
  controllers.push(controller)
  return controller
}

function rowsOf(schema: typeof Entity & (new () => Entity)) {
  return new RestEndpoint({ urlPrefix: 'https://api.test', path: '/rows', name: 'getRows', schema: [schema] })
}

afterEach(() => {
  for (const controller of controllers.splice(0)) controller.dispose()
  errors.length = 0
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

describe('a class from a schema', () => {
  test('an identical response of 10,000 rows calls the schema 0 times', async () => {
    const { schema, calls } = accepting()
    class Task extends entityOf(schema, { key: 'Task' }) {}
    const controller = open()
    const getTasks = rowsOf(Task)
    answer = Array.from({ length: 10_000 }, (_, id) => ({ id, title: `Task ${id}` }))
    await controller.fetch(getTasks)
    expect(calls).toHaveBeenCalledTimes(10_000)
    await controller.fetch(getTasks)
    await controller.fetch(getTasks)
    expect(calls).toHaveBeenCalledTimes(10_000)
  })

  test('reading, and taking over the rows of a server, judges nothing', async () => {
    const { schema, calls } = accepting()
    class Task extends entityOf(schema, { key: 'Task' }) {}
    const getTasks = rowsOf(Task)
    const server = open()
    answer = [{ id: 1, title: 'Milk' }]
    await server.fetch(getTasks)
    const client = open()
    hydrate(client, dehydrate(server))
    expect(client.getResponse(getTasks).data?.[0]).toBeInstanceOf(Task)
    expect(client.get(Task, { id: 1 })).toMatchObject({ title: 'Milk' })
    expect(calls).toHaveBeenCalledTimes(1)
  })

  test('in production its rows are kept and their problems reported, unless it says otherwise', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const { schema } = untitled()
    class Task extends entityOf(schema, { key: 'Task' }) {}
    class Strict extends entityOf(schema, { key: 'Strict', validation: 'throw' }) {}
    const controller = open()
    answer = [{ id: 1, title: '' }]
    expect(await controller.fetch(rowsOf(Task))).toMatchObject([{ title: '' }])
    expect(errors.map(({ message }) => message)).toEqual([
      'getRows (GET https://api.test/rows): Task at $[0].title is not valid: Too short.',
    ])
    await expect(controller.fetch(rowsOf(Strict).extend({ path: '/strict' }))).rejects.toMatchObject({
      path: '$[0].title',
    })
  })

  test('a schema that writes into its value is told of it, and the row stays as it came', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { schema } = schemaOf((value) => {
      Object.assign(value as Row, { title: (value as Row).title.trim() })
      return { value }
    })
    class Task extends entityOf(schema, { key: 'Task' }) {}
    const controller = open()
    answer = [{ id: 1, title: ' Milk ' }]
    expect(await controller.fetch(rowsOf(Task))).toMatchObject([{ title: ' Milk ' }])
    expect(warn.mock.calls).toEqual([[expect.stringContaining("The schema of Task changes 'title'")]])
  })

  test('a field whose change was told of is reported all the same', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { schema } = schemaOf((value) => {
      const { id, title } = value as Row
      return title === ''
        ? { issues: [{ message: 'is empty', path: ['title'] }] }
        : { value: { id, title: `${title}!` } }
    })
    class Task extends entityOf(schema, { key: 'Task', validation: 'report' }) {}
    const controller = open()
    answer = [
      { id: 1, title: 'Milk' },
      { id: 2, title: '' },
    ]
    await controller.fetch(rowsOf(Task))
    expect(warn).toHaveBeenCalledTimes(1)
    expect(errors).toMatchObject([{ path: '$[1].title', found: 'is empty' }])
  })

  test('a schema that leaves fields out changes none', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { schema } = schemaOf((value) => ({ value: { id: (value as Row).id, title: (value as Row).title } }))
    class Task extends entityOf(schema, { key: 'Task' }) {}
    const controller = open()
    answer = [{ id: 1, title: 'Milk', more: { deep: 1 } }]
    await controller.fetch(rowsOf(Task))
    expect(warn).not.toHaveBeenCalled()
  })

  test('an issue of the whole row is at its place, and one of a symbol has a text', async () => {
    const { schema } = schemaOf((value) => ({
      issues: [{ message: 'is odd', path: (value as Row).id === 1 ? [] : ['title', Symbol('s')] }],
    }))
    class Task extends entityOf(schema, { key: 'Task' }) {}
    const controller = open()
    answer = [{ id: 1, title: '' }]
    await expect(controller.fetch(rowsOf(Task))).rejects.toMatchObject({ path: '$[0]', found: 'is odd' })
    answer = [{ id: 2, title: '' }]
    await expect(controller.fetch(rowsOf(Task))).rejects.toMatchObject({ path: '$[0].title.Symbol(s)' })
  })

  test('without a key it has the name of its class, and tells so', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    class Nameless extends entityOf(accepting().schema) {}
    expect(Nameless.key).toBe('Nameless')
    expect(warn.mock.calls).toEqual([[expect.stringContaining("add static key = 'Nameless'")]])
  })

  test.each([
    ['nothing', undefined, 'undefined'],
    ['a plain object', { id: 0 }, 'an object'],
    ['an entity', Entity, 'a function'],
  ])('%s in place of a schema is refused where it is defined', (_, schema, found) => {
    expect(() => entityOf(schema as never, { key: 'Task' })).toThrow(
      `Option 'schema' of Task must be a Standard Schema, found ${found}`,
    )
    expect(() => sends({ body: schema === undefined ? (5 as never) : (schema as never) })).toThrow(
      "Option 'schema' of sends must be a Standard Schema",
    )
  })

  test('an entity among the conversions is refused: it is a relation', () => {
    class User extends Entity {
      static override key = 'User'
    }
    expect(() => entityOf(accepting().schema, { key: 'Task', convert: { title: User as never } })).toThrow(
      "Option 'convert' of Task must have functions, found the entity User for 'title'. Rows belong to relations.",
    )
  })
})

describe('static judge of an entity', () => {
  test('is given each record as it came, before process, with what would be stored and what is', async () => {
    const judged: unknown[] = []
    class Task extends Entity {
      static override key = 'Task'
      id = 0
      title = ''
      static override process({ task_id, ...rest }: { task_id: number }) {
        return { id: task_id, ...rest }
      }
      static override judge(...facts: readonly unknown[]): Judgement | undefined {
        judged.push(facts)
        const [{ title }] = facts as [Row]
        return title === '' ? { path: '.title', message: 'is empty' } : undefined
      }
    }
    const controller = open()
    const getTasks = rowsOf(Task)
    answer = [{ task_id: 1, title: 'Milk' }]
    await controller.fetch(getTasks)
    answer = [{ task_id: 1, title: 'Bread' }]
    await controller.fetch(getTasks)
    expect(judged).toEqual([
      [{ task_id: 1, title: 'Milk' }, { id: 1, title: 'Milk' }, undefined],
      [
        { task_id: 1, title: 'Bread' },
        { id: 1, title: 'Bread' },
        { id: 1, title: 'Milk' },
      ],
    ])
    answer = [{ task_id: 1, title: '' }]
    await expect(controller.fetch(getTasks)).rejects.toThrow(
      'getRows (GET https://api.test/rows): Task at $[0].title is not valid: is empty.',
    )
    expect(controller.get(Task, { id: 1 })).toMatchObject({ title: 'Bread' })
  })
})
