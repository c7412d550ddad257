// What applications of data-client do, and what was once wrong with it here: one line each. The details have tests of
// their own.
import { Collection, Controller, Endpoint, Entity, LogoutManager, RestEndpoint, retry } from '@roundtable/core'
import { expect, test, vi } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

const urlPrefix = 'https://api.test'
const answering = (data: unknown) => async (): Promise<Response> => Response.json(data)
const never = (): Promise<never> => new Promise(() => {})
const quiet = { onError: () => {} }

/** What a promise rejects with. */
const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'nothing was thrown',
    (thrown: unknown) => thrown,
  )

/** The unhandled rejections while something runs. */
async function unhandledIn(work: () => void): Promise<readonly unknown[]> {
  const reasons: unknown[] = []
  const note = (reason: unknown): void => void reasons.push(reason)
  process.on('unhandledRejection', note)
  work()
  await new Promise((resolve) => setTimeout(resolve, 5))
  process.off('unhandledRejection', note)
  return reasons
}

test.each<[point: string, run: () => Promise<void> | void]>([
  [
    'what is thrown and is no Error reaches its caller as it is, and readers with its status',
    async () => {
      const thrown = { status: 503, message: 'busy' }
      const get = new Endpoint(() => Promise.reject(thrown), { name: 'get' })
      const controller = new Controller(quiet)
      expect(await thrownBy(controller.fetch(get))).toBe(thrown)
      expect(controller.getError(get)).toMatchObject({ name: 'CallbackError', status: 503, cause: thrown })
    },
  ],
  [
    'false and an empty text in a list are forgiven, and undefined in a Collection',
    async () => {
      const list = [{ id: 1, title: 'Sharpen' }, false, '', undefined, null]
      for (const schema of [[Todo], new Collection([Todo])]) {
        const get = new Endpoint(async () => list, { name: 'get', schema })
        const rows = (await new Controller().fetch(get)) as readonly unknown[]
        expect(rows.filter(Boolean)).toEqual([expect.objectContaining({ id: 1, title: 'Sharpen' })])
      }
    },
  ],
  [
    "a plain Endpoint may have members of the user's own with the names of options",
    async () => {
      const own = { url: '/time', content: 5, method: 7, path: ['a'], batch: 'text', retry: 3 } as object
      const get = new Endpoint(
        async function (this: { readonly retry: number; readonly batch: string }) {
          return `${this.retry} ${this.batch}`
        } as () => Promise<string>,
        { name: 'get', ...own },
      )
      expect({ ...get }).toMatchObject(own)
      expect(await new Controller({ retry: retry(1) }).fetch(get)).toBe('3 text')
      expect(await get.extend({ retry: () => 5, batch: true } as object)()).toMatch(/ true$/)
    },
  ],
  [
    'a call that nobody awaits and that a reset or dispose drops is no unhandled rejection; an awaited one rejects',
    async () => {
      const save = new Endpoint(never, { name: 'save', sideEffect: true })
      for (const end of ['resetEntireStore', 'dispose'] as const) {
        const controller = new Controller(quiet)
        const dropped = (): void => {
          void controller.fetch(save)
          controller[end]()
        }
        expect(await unhandledIn(dropped)).toEqual([])
        const other = new Controller(quiet)
        const awaited = thrownBy(other.fetch(save))
        other[end]()
        expect(await awaited).toMatchObject({ name: end === 'dispose' ? 'DisposedError' : 'ResetError' })
      }
    },
  ],
  [
    'shouldLogout goes by error.status',
    async () => {
      const handleLogout = vi.fn()
      const logout = new LogoutManager({ handleLogout, shouldLogout: (error) => error.status === 403 })
      const get = new RestEndpoint({ urlPrefix, path: '/me', transport: async () => new Response('', { status: 403 }) })
      await thrownBy(new Controller({ ...quiet, managers: [logout] }).fetch(get))
      expect(handleLogout).toHaveBeenCalledOnce()
    },
  ],
  [
    'what an overridden url throws rejects as it is',
    async () => {
      const lost = new Error('no tenant')
      const url = (): never => {
        throw lost
      }
      expect(await thrownBy(new Controller(quiet).fetch(new RestEndpoint({ path: '/me', url })))).toBe(lost)
    },
  ],
  [
    'an empty array in a schema is a warning, and what comes there stays as it came',
    async () => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
      const schema = { todos: [Todo], someItems: [] }
      const get = new RestEndpoint({
        urlPrefix,
        path: '/a',
        schema,
        transport: answering({ todos: [], someItems: [5] }),
      })
      expect(warn.mock.calls.flat().join()).toContain('has an empty array at $.someItems')
      expect(await new Controller().fetch(get)).toEqual({ todos: [], someItems: [5] })
      warn.mockRestore()
    },
  ],
  [
    'types: paginated needs a Collection, and a path of type string takes no number',
    () => {
      const refused = (): void => {
        // @ts-expect-error it has no Collection
        new RestEndpoint({ path: '/todos', schema: [Todo] }).paginated('cursor')
        // @ts-expect-error a number names no param
        void new RestEndpoint({ path: '/todos' as string })(5)
      }
      expect(refused).toBeTypeOf('function')
    },
  ],
])('%s', (_, run) => run())
