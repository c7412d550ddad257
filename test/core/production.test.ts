import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Entity, OptionError, RestEndpoint, resource } from '@roundtable/core'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import type * as Core from '../../core/src/index.js'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
}

const source = fileURLToPath(new URL('../../core/src', import.meta.url))

/** Core as a bundler makes it for production. */
async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(source, 'index.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    minifySyntax: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]?.text ?? ''
}

/** Messages for development only: the texts behind `process.env.NODE_ENV === 'production' ? '' :`. */
function hints(): readonly string[] {
  const files = (readdirSync(source, { recursive: true }) as string[]).filter((file) => file.endsWith('.ts'))
  return files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    return [...text.matchAll(/'production' \? '' : (['"`])([^$\n]*?)\1/g)].map(([, , hint = '']) => hint)
  })
}

test('a production build has no hints, and uses no process', async () => {
  const code = await bundled()
  expect(hints().length).toBeGreaterThan(20)
  expect(hints().filter((hint) => code.includes(hint))).toEqual([])
  expect(code).not.toContain('process.env')
})

test('in production a list is frozen, so that sorting it in place changes it for nobody, and an instance is not', async () => {
  const core: typeof Core = await import(
    `data:text/javascript;base64,${Buffer.from(await bundled()).toString('base64')}`
  )
  const { All, Collection, Controller, Endpoint, Entity, Query, schema } = core
  class Todo extends Entity {
    static override key = 'Todo'
    id = ''
    title = ''
  }
  const controller = new Controller()
  const rows = ['b', 'a'].map((id) => ({ id, title: id }))
  const read = (name: string, of: never, data: unknown): unknown => {
    const endpoint = new Endpoint(async (): Promise<unknown> => 1, { name, schema: of })
    const query = controller.watch(endpoint)
    const stop = query.subscribe(() => {})
    controller.setResponse(endpoint, data)
    query.getSnapshot()
    // The list that was changed in one place is frozen, too.
    controller.set(Todo, { id: 'a' }, { title: name })
    const { data: shown } = query.getSnapshot()
    stop()
    return shown
  }
  const page = read('page', { todos: [Todo], total: 0 } as never, { todos: rows, total: 2 }) as { todos: unknown }
  const nested = read('nested', new schema.Object({ in: { grid: [[Todo]] } }) as never, { in: { grid: [rows] } })
  const { grid } = (nested as { in: { grid: unknown[] } }).in
  const lists = [
    read('array', [Todo] as never, rows),
    read('collection', new Collection([Todo]) as never, rows),
    page.todos,
    grid,
    grid[0],
    read('query', new Query([Todo], (todos) => todos.filter(({ id }) => id !== '')) as never, rows),
    controller.get(new All(Todo)),
  ] as string[][]
  expect(lists.map((list) => Object.isFrozen(list))).toEqual(lists.map(() => true))
  for (const list of lists) expect(() => list.reverse().push('x')).toThrow(TypeError)
  const todo = controller.get(Todo, { id: 'a' })
  expect(Object.isFrozen(todo)).toBe(false)
  controller.dispose()
})

test('in production an error still has its class, code, facts and message', async () => {
  const core: typeof Core = await import(
    `data:text/javascript;base64,${Buffer.from(await bundled()).toString('base64')}`
  )
  const { Endpoint, OptionError, RestEndpoint, TimeoutError } = core
  const getUser = new RestEndpoint({ path: '/user/:id', name: 'getUser' })
  expect(() => getUser.url({ id: '' })).toThrow("getUser: param 'id' of /user/:id is an empty string.")
  expect(() => new RestEndpoint({ path: '/user/:id', pollFrequency: -5 })).toThrow(
    "Option 'pollFrequency' must be more than 0 milliseconds, found -5.",
  )
  const unreadable = new RestEndpoint({ path: '/user/:id}' })
  expect(() => unreadable.key({ id: 5 } as never)).toThrow("Option 'path' '/user/:id}' cannot be read. See cause.")
  const nameless = new Endpoint(
    (
      () => async () =>
        1
    )(),
  )
  const missing = (): string => nameless.key()
  expect(missing).toThrow(OptionError)
  expect(missing).toThrow(expect.objectContaining({ name: 'OptionError', code: 'OPTION', option: 'name' }))
  expect(missing).toThrow("Option 'name' is missing.")
  expect(new TimeoutError('GET /user', 5)).toMatchObject({
    code: 'TIMEOUT',
    key: 'GET /user',
    timeout: 5,
    message: 'GET /user took longer than 5 ms.',
  })
})

test('in production no checks run for mistakes in the program: they were reported in development', async () => {
  const core: typeof Core = await import(
    `data:text/javascript;base64,${Buffer.from(await bundled()).toString('base64')}`
  )
  const make = (options: object) => () => new core.RestEndpoint({ path: '/users', ...options }) as RestEndpoint
  for (const options of [{ schema: [[{}, {}]] }, { schema: {}, content: 'blob' }, { body: {} }, { path: '/:a:b' }]) {
    expect(make(options)).not.toThrow()
    expect(() => new RestEndpoint({ path: '/users', ...options } as never)).toThrow(OptionError)
  }
  expect(make({ timeout: Number.NaN })).toThrow(core.OptionError)
})

test('in production the first call finds a mistake in a path, which the definition tells in development', async () => {
  const core: typeof Core = await import(
    `data:text/javascript;base64,${Buffer.from(await bundled()).toString('base64')}`
  )
  const mistakes: { path: string; [option: string]: string }[] = [
    { path: '/:' },
    { urlPrefix: 'https://api.test', path: 'users' },
  ]
  for (const options of mistakes) {
    expect(() => new RestEndpoint(options)).toThrow(OptionError)
    const endpoint = new core.RestEndpoint(options) as RestEndpoint
    for (const use of [() => endpoint.key(), () => endpoint.url()]) expect(use).toThrow(core.OptionError)
    await expect(endpoint()).rejects.toBeInstanceOf(core.OptionError)
  }
  expect(() => resource({ path: '/users', schema: Todo })).toThrow(OptionError)
  const { get } = Object.getOwnPropertyDescriptors(core.resource({ path: '/users', schema: Todo }))
  expect(get?.get).toThrow(core.OptionError)
})

test('in production an endpoint of a resource is made when it is read for the first time, once', async () => {
  const core: typeof Core = await import(
    `data:text/javascript;base64,${Buffer.from(await bundled()).toString('base64')}`
  )
  const made: string[] = []
  class Counted extends core.RestEndpoint {
    constructor(options: never) {
      super(options)
      made.push(this.name)
    }
  }
  const Todos = core.resource({ path: '/todos/:id', schema: Todo, Endpoint: Counted as typeof core.RestEndpoint })
  const More = Todos.extend('getList', { dataExpiryLength: 5 }).extend({ get: { timeout: 5 } })
  expect(made).toEqual([])
  expect(More.update).toBe(Todos.update)
  expect(Todos.update).toBe(More.update)
  expect(made).toEqual(['Todo.update'])
  expect(More.get.timeout).toBe(5)
  expect(made).toEqual(['Todo.update', 'Todo.get', 'Todo.get'])
  expect(More.create.schema).toBe(Todos.getList.push.schema)
  expect({ ...Todos }).toEqual({ ...Todos })
  expect(Object.keys(Todos)).toEqual(['get', 'getList', 'create', 'update', 'partialUpdate', 'delete', 'extend'])
})
