import { Controller, Endpoint } from '@roundtable/core'
import { mockController } from '@roundtable/core/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { settle } from './clock.js'
import { Todo } from './todo-board.js'

const getTodo = new Endpoint(async ({ id }: { id: string }) => ({ id, title: 'fetched' }), {
  name: 'getTodo',
  schema: Todo,
})

/** What each former name does, called by that name. */
const uses: Record<string, { readonly now: string; readonly use: (controller: Controller) => unknown }> = {
  query: { now: 'watch', use: ({ query }) => query(getTodo, { id: '1' }) },
  queryOrError: { now: 'watchOrError', use: ({ queryOrError }) => queryOrError(getTodo, { id: '1' }) },
  select: { now: 'view', use: ({ select }) => select(Todo, { id: '1' }) },
  batch: { now: 'notifyOnce', use: ({ batch }) => batch(() => 'done') },
}

const open = () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  return { controller: new Controller(), warn }
}
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

test('a controller by its new names warns of nothing', () => {
  const { controller, warn } = open()
  controller.watch(getTodo, { id: '1' })
  controller.watchOrError(getTodo, { id: '1' })
  controller.view(Todo, { id: '1' })
  controller.notifyOnce(() => {})
  expect(warn).not.toHaveBeenCalled()
})

describe.each(Object.entries(uses))('controller.%s', (name, { now, use }) => {
  test(`is ${now}, and says so once`, () => {
    const { controller, warn } = open()
    const first = use(controller)
    expect(use(controller)).toBe(first)
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`controller.${name} is now controller.${now}`)]])
  })

  test('says nothing in production', () => {
    vi.stubEnv('NODE_ENV', 'production')
    const { controller, warn } = open()
    use(controller)
    expect(warn).not.toHaveBeenCalled()
  })
})

test('former and new names return the same observers', () => {
  const { controller } = open()
  expect(controller.query(getTodo, { id: '1' })).toBe(controller.watch(getTodo, { id: '1' }))
  expect(controller.select(Todo, { id: '1' })).toBe(controller.view(Todo, { id: '1' }))
})

test('a former name calls what a subclass has made of the new one', () => {
  open()
  class Counted extends Controller {
    count = 0
    override notifyOnce<Result>(work: () => Result): Result {
      this.count++
      return super.notifyOnce(work)
    }
  }
  const controller = new Counted()
  controller.batch(() => {})
  expect(controller.count).toBe(1)
})

test('fixtures answer what is watched by the former name', async () => {
  open()
  const controller = mockController({
    initialFixtures: [],
    resolverFixtures: [{ endpoint: getTodo, args: [{ id: '1' }], response: { id: '1', title: 'of the fixture' } }],
  })
  const todo = controller.query(getTodo, { id: '1' })
  const stop = todo.subscribe(() => {})
  await settle()
  await todo.load()
  expect(todo.getSnapshot().data?.title).toBe('of the fixture')
  stop()
})
