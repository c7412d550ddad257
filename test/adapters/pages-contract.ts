import { join } from 'node:path'
import { Controller, NetworkError } from '@roundtable/core'
import { backend } from '@roundtable/core/backend'
import { settle } from '@roundtable/core/testing'
import { configure, fireEvent, waitFor, within } from '@testing-library/dom'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { chatService } from '../docs/chat-service.js'
import { openPage } from '../docs/run-page.js'
import { todoService } from '../docs/todo-service.js'
import { HANGS } from '../hangs.js'

/** How a framework shows a component of a page. */
export interface PageHarness {
  readonly framework: 'react' | 'vue' | 'svelte'
  /** The file extension of its components. */
  readonly extension: 'tsx' | 'vue' | 'svelte'
  /** Mounts the component that a file exports; returns a function that unmounts it. */
  show(module: object, target: HTMLElement, props: object, controller: Controller): () => unknown
  /** Chooses an option of a menu. */
  choose?(menu: HTMLSelectElement, index: number): void
}

/** The behaviour of the pages' components in each framework. */
export function pagesContract(harness: PageHarness): void {
  // The pages load and search in real time; a busy machine takes its own.
  configure({ asyncUtilTimeout: HANGS })
  const { framework, extension } = harness
  const ends: (() => unknown)[] = []

  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
    document.body.innerHTML = ''
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  /** The components of a page, each shown on an empty document, with the service of the examples. */
  function of(name: string) {
    const page = openPage(`docs/${name}.md`)
    afterAll(() => page.close())
    return {
      load: page.load,
      async show(file: string, props: object = {}, service = todoService(), controller = new Controller()) {
        vi.stubGlobal('fetch', service.fetch)
        const target = document.body.appendChild(document.createElement('div'))
        const end = harness.show(await page.load<object>(`${file}.${extension}`), target, props, controller)
        ends.push(async () => {
          await end()
          // Requests still waiting would be sent without the service.
          controller.dispose()
        })
        return { service, controller, target, screen: within(target) }
      },
    }
  }

  describe('guides/openapi', () => {
    test('shows the books of a backend, adds one and deletes one', async () => {
      // The page does not show what is generated, so these files are used where they are.
      const folder = join(import.meta.dirname, '../../docs/snippets/openapi')
      const api = await import('../../docs/snippets/openapi/api/roundtable.gen.js')
      const author = { id: 1, name: 'Jane Austen' }
      const server = backend(api, { seed: { Book: [{ id: 1, title: 'Emma', read: false, author }] } })
      const controller = new Controller({ transport: server.transport })
      const target = document.body.appendChild(document.createElement('div'))
      const module = (await import(/* @vite-ignore */ join(folder, `books.${extension}`))) as object
      const end = harness.show(module, target, {}, controller)
      ends.push(end, () => controller.dispose())

      const screen = within(target)
      await screen.findByText(/Emma, by Jane Austen/)
      screen.getByText('Add').click()
      await screen.findByText(/Middlemarch/)
      screen.getAllByText('Delete')[0]?.click()
      await waitFor(() => expect(screen.queryByText(/Emma/)).toBeNull())
      await waitFor(() => expect(server.rows('Book')).toMatchObject([{ title: 'Middlemarch' }]))
    })
  })

  describe('guides/together', () => {
    const page = openPage('docs/guides/together.md')
    afterAll(() => page.close())

    test('one application: live data, unsent changes, a session that expires, another user, another tab', async () => {
      vi.stubGlobal('indexedDB', new IDBFactory())
      vi.stubGlobal('IDBKeyRange', IDBKeyRange)
      localStorage.clear()
      document.body.innerHTML = '<div id="app"></div>'
      const server = chatService(await page.load('api.ts'))
      vi.stubGlobal('fetch', server.fetch)
      const screen = within(document.body)
      const field = (label: string, value: string): Promise<HTMLElement> =>
        screen.findByLabelText(label).then((input) => {
          fireEvent.input(input, { target: { value } })
          return input
        })
      const signIn = async (name: string, password: string): Promise<void> => {
        await field('Name', name)
        fireEvent.submit((await field('Password', password)).closest('form') as HTMLFormElement)
      }
      await page.load(`start-${framework}.${framework === 'react' ? 'tsx' : 'ts'}`)

      await signIn('Ann', 'wrong')
      await screen.findByRole('alert')
      await signIn('Ann', 'secret')
      await screen.findByText('Hi Ann')
      server.chat('Ann').put('Message', { id: 2, text: 'News' })
      await screen.findByText('News')

      server.isDown = true
      fireEvent.submit((await field('Message', 'Mine')).closest('form') as HTMLFormElement)
      await screen.findByText('Mine')
      await screen.findByText('Not sent yet: 1')
      server.endSessions()
      server.isDown = false
      // The outbox notices that the session is over.
      await screen.findByLabelText('Password')
      expect(screen.queryByText('Mine')).toBeNull()
      await signIn('Ann', 'secret')
      await screen.findByText('Not sent yet: 0')
      await screen.findByText('Mine')
      expect(server.texts('Ann')).toEqual(['Hi Ann', 'News', 'Mine'])

      screen.getByText('Sign out').click()
      await signIn('Robert', 'secret')
      await screen.findByText('Hi Robert')
      expect(screen.queryByText('Hi Ann')).toBeNull()
      server.isDown = true
      fireEvent.submit((await field('Message', 'Unsent')).closest('form') as HTMLFormElement)
      await screen.findByText('Not sent yet: 1')
      const robert = localStorage.getItem('chat:user') as string
      screen.getByText('Sign out and delete').click()
      await screen.findByLabelText('Password')

      // In another tab, Robert signs in, and out again.
      const tell = (): boolean => dispatchEvent(new StorageEvent('storage', { key: 'chat:user' }))
      server.isDown = false
      localStorage.setItem('chat:user', robert)
      tell()
      await screen.findByText('Hi Robert')
      await screen.findByText('Not sent yet: 0')
      localStorage.clear()
      tell()
      await screen.findByLabelText('Password')
      expect(server.texts('Robert')).toEqual(['Hi Robert'])
      // The last session is over once its end is on disk.
      await (await page.load<{ signOut(): Promise<void> }>('session.ts')).signOut()
    })
  })

  const first = 'delectus aut autem'

  describe(`start/${framework}`, () => {
    const page = of(`start/${framework}`)
    const open = () => page.show('app')

    test('shows the todos and their count, and changes both at once', async () => {
      const { screen, service } = await open()
      const item = (await screen.findByText(first)).closest('li') as HTMLElement
      expect(screen.getByRole('heading').textContent).toBe('9 open')
      within(item).getByRole('checkbox').click()
      await waitFor(() => expect(screen.getByRole('heading').textContent).toBe('8 open'))
      await waitFor(() => expect(service.sent).toContain('PATCH /todos/1'))
      expect(service.sent).toHaveLength(2)
    })

    test('adds and deletes', async () => {
      const { screen, service } = await open()
      await screen.findByText(first)
      fireEvent.input(screen.getByLabelText('Title'), { target: { value: 'Sleep' } })
      fireEvent.submit(screen.getByLabelText('Title').closest('form') as HTMLFormElement)
      await screen.findByText('Sleep')
      expect(screen.getByRole('heading').textContent).toBe('10 open')
      await waitFor(() => expect(service.sent).toContain('POST /todos'))
      const item = screen.getByText('Sleep').closest('li') as HTMLElement
      within(item).getByText('Delete').click()
      await waitFor(() => expect(screen.queryByText('Sleep')).toBeNull())
      await waitFor(() => expect(screen.getByRole('heading').textContent).toBe('9 open'))
      await waitFor(() => expect(service.sent).toContain('DELETE /todos/201'))
    })

    test('takes back what the server refuses, and rejects nothing unheard', async () => {
      const rejected: unknown[] = []
      const onRejection = (reason: unknown) => rejected.push(reason)
      process.on('unhandledRejection', onRejection)
      const { screen, service } = await open()
      const item = (await screen.findByText(first)).closest('li') as HTMLElement
      service.fail('todos')
      within(item).getByRole('checkbox').click()
      await waitFor(() => expect(service.sent).toContain('PATCH /todos/1'))
      await waitFor(() => expect(screen.getByRole('heading').textContent).toBe('9 open'))
      expect(within(item).getByRole<HTMLInputElement>('checkbox').checked).toBe(false)
      expect((await screen.findByRole('alert')).textContent).toContain('The server is busy.')
      process.off('unhandledRejection', onRejection)
      expect(rejected).toEqual([])
    })

    test('tells why a deletion was refused, whose row was gone meanwhile', async () => {
      const { screen, service } = await open()
      const item = (await screen.findByText(first)).closest('li') as HTMLElement
      service.fail('todos')
      const answer = service.hold()
      within(item).getByText('Delete').click()
      await waitFor(() => expect(screen.queryByText(first)).toBeNull())
      answer()
      expect((await screen.findByRole('alert')).textContent).toContain('The server is busy.')
      await screen.findByText(first)
      screen.getByText('Close').click()
      await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    })

    test('gives the text of a todo back that was refused, unless another one is typed', async () => {
      const { screen, service } = await open()
      await screen.findByText(first)
      service.fail('todos')
      const field = screen.getByLabelText<HTMLInputElement>('Title')
      const add = (title: string) => {
        fireEvent.input(field, { target: { value: title } })
        fireEvent.submit(field.closest('form') as HTMLFormElement)
      }
      add('Sleep')
      await waitFor(() => expect(field.value).toBe(''))
      await screen.findByRole('alert')
      await waitFor(() => expect(field.value).toBe('Sleep'))
      const answer = service.hold()
      add('Run')
      await screen.findByText('Run')
      fireEvent.input(field, { target: { value: 'Eat' } })
      answer()
      await waitFor(() => expect(screen.queryByText('Run')).toBeNull())
      await settle()
      expect(field.value).toBe('Eat')
    })

    test('shows an error, and tries again', async () => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      const service = todoService()
      service.fail('todos')
      const { screen } = await page.show('app', {}, service)
      const retry = await screen.findByRole('button', { name: /again/i })
      service.fail(undefined)
      retry.click()
      await screen.findByText(first)
    })
  })

  describe('guides', () => {
    const reading = of('guides/reading')
    const changing = of('guides/changing')
    const pages = of('guides/pages')
    const errors = of('guides/errors')
    const selections = of('guides/selections')

    test('reading: a search box shows what is found', async () => {
      const { screen } = await reading.show('search-box')
      fireEvent.input(await screen.findByLabelText('Search'), { target: { value: 'suscipit' } })
      await screen.findByText('suscipit repellat esse quibusdam voluptatem incidunt')
    })

    test('reading: two reads at once are two requests', async () => {
      const { screen, service } = await reading.show('user-todos', { userId: 1 })
      await screen.findByText('Leanne Graham: 20 todos')
      expect(service.sent.toSorted()).toEqual(['GET /todos?userId=1', 'GET /users/1'])
    })

    test('reading: what is not yet known is not fetched', async () => {
      const { screen, service } = await reading.show('selected-todo', { id: undefined })
      await screen.findByText('Nothing is selected')
      expect(service.sent).toEqual([])
    })

    test('changing: a form edits a copy', async () => {
      const controller = new Controller()
      const { TodoResource } = await changing.load<{ TodoResource: { get: never } }>('api.ts')
      vi.stubGlobal('fetch', todoService().fetch)
      const todo = await (controller.fetch as (...args: unknown[]) => Promise<object>)(TodoResource.get, { id: 1 })
      const { screen, service } = await changing.show('todo-form', { todo }, undefined, controller)
      fireEvent.input(await screen.findByLabelText('Title'), { target: { value: 'Sleep' } })
      expect(todo).toMatchObject({ title: first })
      fireEvent.submit(screen.getByLabelText('Title').closest('form') as HTMLFormElement)
      await waitFor(() => expect(service.bodies).toEqual([{ title: 'Sleep' }]))
    })

    test('changing: what a server refuses is told by the fields, any other error is thrown on', async () => {
      const { problemsOf } = await changing.load<{ problemsOf: (error: unknown) => Promise<object> }>('problems-of.ts')
      const refused = (status: number): Error =>
        new NetworkError(Response.json({ errors: { title: 'Too short' } }, { status }))
      expect(await problemsOf(refused(422))).toEqual({ title: 'Too short' })
      await expect(problemsOf(refused(500))).rejects.toMatchObject({ status: 500 })
    })

    test('pages: "More" ends with the list', async () => {
      const { screen, service } = await pages.show('todo-pages', { userId: 1 })
      for (const title of ['molestiae perspiciatis ipsa', 'quo laboriosam deleniti aut qui']) {
        await waitFor(() => expect(screen.getByText<HTMLButtonElement>('More').disabled).toBe(false))
        screen.getByText('More').click()
        await screen.findByText(title)
      }
      await waitFor(() => expect(screen.getByText<HTMLButtonElement>('More').disabled).toBe(false))
      screen.getByText('More').click()
      await waitFor(() => expect(screen.queryByText('More')).toBeNull())
      expect(service.sent).toEqual(
        [1, 2, 3, 4].map((page) => `GET /todos?_limit=8${page === 1 ? '' : `&_page=${page}`}&userId=1`),
      )
    })

    test('selections: as many rows as a component wants, as they come and go, without a request', async () => {
      const { Todo } = await selections.load<{ Todo: object }>('api.ts')
      const { screen, service, controller } = await selections.show('status-column', { status: 'open' })
      const set = (id: number, status: string): void =>
        (controller.set as (...args: unknown[]) => void)(Todo, { id }, { title: `todo ${id}`, status })
      const shown = (): unknown => screen.queryAllByText(/^todo/).map(({ textContent }) => textContent)
      for (const id of [1, 2, 3, 4]) set(id, id === 3 ? 'done' : 'open')
      await waitFor(() => expect(shown()).toEqual(['todo 1', 'todo 2']))
      set(1, 'done')
      await waitFor(() => expect(shown()).toEqual(['todo 2', 'todo 4']))
      set(1, 'open')
      fireEvent.click(await screen.findByText('Show more'))
      await waitFor(() => expect(shown()).toEqual(['todo 1', 'todo 2', 'todo 4']))
      expect(service.sent).toEqual([])
    })

    test('errors: a failed read is tried again', async () => {
      const service = todoService()
      service.fail('todos')
      const { screen } = await errors.show('first-todo', {}, service)
      const button = await screen.findByText('The server is busy. Try again')
      service.fail(undefined)
      button.click()
      await screen.findByText(first)
    })

    test('errors: a refused mutation is reported in one place', async () => {
      const { screen, service, controller } = await errors.show('failed-changes')
      const { TodoResource } = await errors.load<{ TodoResource: { delete: never } }>('api.ts')
      service.fail('todos')
      const remove = controller.fetch as (...args: unknown[]) => unknown
      // It listens in an effect, and nothing on the screen shows whether that has run.
      await waitFor(async () => {
        await expect(remove(TodoResource.delete, { id: 1 })).rejects.toThrow()
        screen.getByText('The server is busy.')
      })
      screen.getByText('Close').click()
      await waitFor(() => expect(screen.queryByText('Close')).toBeNull())
    })
  })

  describe('recipes', () => {
    test('keep the focus: a todo that moves to the other list, and back when that is refused, keeps it', async () => {
      const { screen, service } = await focus.show('todo-lists', { userId: 1 })
      const checkbox = () => within(screen.getByText(first).closest('li') as HTMLElement).getByRole('checkbox')
      const listOf = (item: HTMLElement) => item.closest('ul')?.getAttribute('aria-label')
      await screen.findByText(first)
      const before = checkbox()
      before.focus()
      service.fail('todos')
      const answer = service.hold()
      before.click()
      await waitFor(() => expect(listOf(checkbox())).toBe('Done'))
      await waitFor(() => expect(document.activeElement).toBe(checkbox()))
      expect(before.isConnected).toBe(false)
      answer()
      await waitFor(() => expect(listOf(checkbox())).toBe('Open'))
      await waitFor(() => expect(document.activeElement).toBe(checkbox()))
    })

    test('keep the focus: after a deletion the next todo has it, unless it was put elsewhere', async () => {
      const { screen, target } = await focus.show('todo-lists', { userId: 1 })
      const buttonOf = (title: string) =>
        within(screen.getByText(title).closest('li') as HTMLElement).getByText('Delete')
      await screen.findByText(first)
      const [one = '', two = ''] = [...target.querySelectorAll('label')].map((label) => label.textContent?.trim() ?? '')
      const other = document.body.appendChild(document.createElement('input'))
      buttonOf(one).focus()
      buttonOf(one).click()
      await waitFor(() => expect(document.activeElement).toBe(buttonOf(two)))
      buttonOf(two).focus()
      other.focus()
      buttonOf(two).click()
      await waitFor(() => expect(screen.queryByText(two)).toBeNull())
      expect(document.activeElement).toBe(other)
      other.remove()
    })

    const infinite = of('recipes/infinite-list')
    const undo = of('recipes/delete-with-undo')
    const ownPage = of('recipes/delete-on-own-page')
    const totals = of('recipes/totals')
    const pageNumbers = of('recipes/page-numbers')
    const focus = of('recipes/keep-focus')
    const trees = of('recipes/comment-trees')
    const dependent = of('recipes/dependent-reads')
    const detail = of('recipes/detail-after-list')
    const login = of('recipes/login-with-profile')
    const upload = of('recipes/upload-with-progress')
    const feed = of('recipes/polymorphic-lists')
    const drag = of('recipes/drag-and-drop')

    /** Replaces the observer of the end of a list; returns the functions that are called when it is in view. */
    const watchedEnds = () => {
      const watching = new Set<(entries: object[]) => void>()
      vi.stubGlobal(
        'IntersectionObserver',
        class {
          readonly #onSeen: (entries: object[]) => void
          constructor(onSeen: (entries: object[]) => void) {
            this.#onSeen = onSeen
          }
          observe(): void {
            watching.add(this.#onSeen)
          }
          disconnect(): void {
            watching.delete(this.#onSeen)
          }
        },
      )
      return watching
    }

    test('infinite list: each page is requested when the end is in view, and none after the last', async () => {
      const watching = watchedEnds()
      const { screen, service } = await infinite.show('endless-todos', { userId: 1 })
      for (const title of [first, 'molestiae perspiciatis ipsa', 'quo laboriosam deleniti aut qui']) {
        await screen.findByText(title)
        await waitFor(() => expect(watching.size).toBe(1))
        for (const onSeen of watching) onSeen([{ isIntersecting: true }])
      }
      await waitFor(() => expect(screen.queryByText('Loading …')).toBeNull())
      expect(service.sent).toHaveLength(4)
      await waitFor(() => expect(watching.size).toBe(0))
    })

    test('infinite list: what is in view before the first page has come requests no second one', async () => {
      vi.stubGlobal(
        'IntersectionObserver',
        class {
          readonly #onSeen: (entries: object[]) => void
          constructor(onSeen: (entries: object[]) => void) {
            this.#onSeen = onSeen
          }
          observe(end: Element): void {
            // Eight todos fill the window.
            const isIntersecting = (end.closest('section')?.querySelectorAll('li').length ?? 0) < 8
            queueMicrotask(() => this.#onSeen([{ isIntersecting }]))
          }
          disconnect(): void {}
        },
      )
      const service = todoService()
      const release = service.hold()
      const { screen } = await infinite.show('endless-todos', { userId: 1 }, service)
      await waitFor(() => expect(service.sent).toHaveLength(1))
      await screen.findByText('Loading …')
      release()
      await screen.findByText(first)
      await settle()
      expect(service.sent).toEqual(['GET /todos?_limit=8&userId=1'])
    })

    test('infinite list: a first page that has failed is tried again', async () => {
      vi.stubGlobal('IntersectionObserver', NeverSeen)
      const service = todoService()
      service.fail('todos')
      const { screen } = await infinite.show('endless-todos', { userId: 1 }, service)
      const button = await screen.findByText('The server is busy. Try again')
      service.fail(undefined)
      button.click()
      await screen.findByText(first)
      expect(service.sent).toHaveLength(2)
    })

    test('infinite list: a refresh that has failed is tried again, and the end is watched on', async () => {
      const watching = watchedEnds()
      const { screen, service, controller } = await infinite.show('endless-todos', { userId: 1 })
      await screen.findByText(first)
      await waitFor(() => expect(watching.size).toBe(1))
      service.fail('todos')
      controller.expireAll({ testKey: () => true })
      const button = await screen.findByText('The server is busy. Try again')
      expect(watching.size).toBe(0)
      service.fail(undefined)
      button.click()
      await waitFor(() => expect(watching.size).toBe(1))
      expect(screen.queryByText('The server is busy. Try again')).toBeNull()
      for (const onSeen of watching) onSeen([{ isIntersecting: true }])
      await screen.findByText('molestiae perspiciatis ipsa')
      expect(service.sent).toHaveLength(4)
    })

    test('infinite list: a search keeps the list of the word before, and goes on with that of the new one', async () => {
      const service = todoService()
      const { screen } = await infinite.show('search-todos', {}, service)
      const type = async (value: string) =>
        fireEvent.input(await screen.findByLabelText('Search'), { target: { value } })
      await type('quis')
      ;(await screen.findByText('More')).click()
      await waitFor(() => expect(screen.queryByText('More')).toBeNull())
      const found = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
      expect(new Set(found).size).toBe(found.length)
      const release = service.hold()
      await type('suscipit')
      await waitFor(() => expect(service.sent.at(-1)).toContain('q=suscipit'))
      expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(found)
      expect(screen.queryByText('More')).toBeNull()
      release()
      await screen.findByText('suscipit repellat esse quibusdam voluptatem incidunt')
      expect(service.sent.filter((sent) => sent.includes('q=quis') && !sent.includes('_page'))).toHaveLength(1)
    })

    test('delete with undo: the todo is back, and nothing was sent', async () => {
      const { screen, service, controller } = await undo.show('todo-list', { userId: 1 })
      const failures: Error[] = []
      controller.on('error', ({ error }) => failures.push(error))
      const item = (await screen.findByText(new RegExp(first))).closest('li') as HTMLElement
      within(item).getByText('Delete').click()
      await waitFor(() => expect(screen.queryByText(new RegExp(first))).toBeNull())
      ;(await screen.findByText('Undo')).click()
      await screen.findByText(new RegExp(first))
      await waitFor(() => expect(screen.queryByText('Undo')).toBeNull())
      expect(service.sent).toEqual(['GET /todos?userId=1'])
      // No failed changes are reported.
      expect(failures).toEqual([])
    })

    test('delete on the own page: back in the list, the todo is gone', async () => {
      const { screen, service } = await ownPage.show('todo-app')
      ;(await screen.findByText(first)).click()
      expect((await screen.findByRole('heading')).textContent).toBe(first)
      screen.getByText('Delete').click()
      await screen.findByText('quis ut nam facilis et officia qui')
      expect(screen.queryByText(first)).toBeNull()
      await settle()
      // No request is sent for a deleted todo.
      expect(service.sent).toEqual(['GET /todos?userId=1', 'DELETE /todos/1'])
    })

    test('delete on the own page: whoever is refused stays, and is told', async () => {
      const service = todoService()
      const { screen } = await ownPage.show('todo-app', {}, service)
      ;(await screen.findByText(first)).click()
      service.fail('todos')
      ;(await screen.findByText('Delete')).click()
      expect((await screen.findByRole('alert')).textContent).toBe('The server is busy.')
      expect(screen.getByRole('heading').textContent).toBe(first)
    })

    test('totals: created and deleted rows are counted at once, and a refused deletion is taken back', async () => {
      let isRefused = false
      const list = { data: [{ id: 1, userId: 1, title: 'Write' }], total: 12 }
      const controller = new Controller({
        transport: async (_, { method, body }) => {
          if (isRefused) return new Response(null, { status: 503 })
          if (method === 'DELETE') return new Response(null, { status: 204 })
          return Response.json(body ? { id: 2, ...JSON.parse(String(body)) } : list)
        },
      })
      const { screen } = await totals.show('todo-list', { userId: 1 }, undefined, controller)
      const total = (): string | null => screen.getByRole('heading').textContent
      const remove = (title: string): void => {
        const item = screen.getByText(new RegExp(title)).closest('li') as HTMLElement
        within(item).getByText('Delete').click()
      }
      await screen.findByText('12 todos')
      screen.getByText('Add').click()
      await screen.findByText('13 todos')
      await settle()
      remove('Write')
      await screen.findByText('12 todos')
      await settle()
      isRefused = true
      remove('Buy a pen')
      await screen.findByText('11 todos')
      await waitFor(() => expect(total()).toBe('12 todos'))
      screen.getByText(/Buy a pen/)
    })

    test('page numbers: one page is shown, the last one until the next has arrived, and a deletion moves a row up', async () => {
      let todos = [1, 2, 3, 4, 5].map((id) => ({ id, title: `Todo ${id}` }))
      let isRefused = false
      const controller = new Controller({
        transport: async (input, { method }) => {
          const { pathname, searchParams } = new URL(String(input))
          if (method === 'DELETE' && isRefused) return new Response(null, { status: 503 })
          if (method === 'DELETE') {
            todos = todos.filter(({ id }) => pathname !== `/todos/${id}`)
            return new Response(null, { status: 204 })
          }
          const from = (Number(searchParams.get('page')) - 1) * 2
          return Response.json({ data: todos.slice(from, from + 2), pages: Math.ceil(todos.length / 2) })
        },
      })
      const { target, screen } = await pageNumbers.show('todo-table', {}, undefined, controller)
      const shown = (): string => {
        const numbers = [...target.querySelectorAll('nav button')]
        const current = numbers.find((button) => button.getAttribute('aria-current') === 'page')
        const titles = [...target.querySelectorAll('li')].map(({ firstChild }) => firstChild?.textContent?.trim())
        return `${titles} on ${current?.textContent?.trim()} of ${numbers.length}`
      }
      const seen: string[] = []
      const watch = new MutationObserver(() => seen.push(shown()))
      watch.observe(target, { subtree: true, childList: true, attributes: true, characterData: true })
      const becomes = (text: string) => waitFor(() => expect(shown()).toBe(text))
      await becomes('Todo 1,Todo 2 on 1 of 3')
      screen.getByText('2').click()
      await becomes('Todo 3,Todo 4 on 2 of 3')
      expect(seen.filter((text) => text.startsWith(' on 2'))).toEqual([])
      within(screen.getByText(/Todo 3/).closest('li') as HTMLElement)
        .getByText('Delete')
        .click()
      await becomes('Todo 4,Todo 5 on 2 of 2')
      isRefused = true
      within(screen.getByText(/Todo 4/).closest('li') as HTMLElement)
        .getByText('Delete')
        .click()
      expect((await screen.findByRole('alert')).textContent).toBe('The server is busy.')
      await becomes('Todo 4,Todo 5 on 2 of 2')
      watch.disconnect()
    })

    test('comment trees: a reply is below its parent, and not at the top', async () => {
      const leaf = { id: 2, postId: 1, parentId: 1, text: 'Umbrella?', replies: [] }
      const top = { id: 1, postId: 1, parentId: null, text: 'So wet.', replies: [leaf] }
      let id = 2
      const controller = new Controller({
        transport: async (_, { body }) => {
          id += 1
          return Response.json(body ? { id, ...JSON.parse(String(body)) } : [top])
        },
      })
      const { target, screen } = await trees.show('comment-list', { postId: 1 }, undefined, controller)
      const tree = (list: Element | null): readonly unknown[] =>
        [...(list?.children ?? [])].map((item) => [
          item.firstChild?.textContent?.trim(),
          tree(item.querySelector(':scope > ul')),
        ])
      const agree = (text: RegExp): void => {
        const item = screen.getByText(text, { selector: 'li' })
        ;(item.querySelector(':scope > button') as HTMLButtonElement).click()
      }
      await screen.findByText(/So wet/, { selector: 'li' })
      agree(/Umbrella/)
      await screen.findByText(/I agree/, { selector: 'li' })
      await settle()
      // The new comment has replies too.
      agree(/I agree/)
      const expected = [['So wet.', [['Umbrella?', [['I agree.', [['I agree.', []]]]]]]]]
      await waitFor(() => expect(tree(target.querySelector('ul'))).toEqual(expected))
    })

    test('dependent reads: the author of a todo', async () => {
      const { screen, service } = await dependent.show('author', { todoId: 21 })
      await screen.findByText('Ervin Howell')
      expect(service.sent).toEqual(['GET /todos/21', 'GET /users/2'])
    })

    test('detail after list: the known title first, then the text', async () => {
      let respond = (_response: Response): void => {}
      const response = new Promise<Response>((resolve) => {
        respond = resolve
      })
      const controller = new Controller({ transport: () => response })
      const { getHeadlines } = await detail.load<{ getHeadlines: never }>('api.ts')
      const setResponse = controller.setResponse as (...args: unknown[]) => void
      setResponse(getHeadlines, [{ id: 1, title: 'Rain' }])
      const { screen } = await detail.show('article-page', { id: 1 }, undefined, controller)
      await screen.findByText('Rain')
      await screen.findByText('Loading …')
      respond(Response.json({ id: 1, title: 'Heavy rain', text: 'It rained.' }))
      await screen.findByText('It rained.')
      await screen.findByText('Heavy rain')
    })

    test('login: a wrong password, the right one, and out again; a session that expires brings the form back', async () => {
      const { controller } = await login.load<{ controller: Controller }>('session.ts')
      const sent: string[] = []
      // The server's: a session that it has ended is none.
      let session: string | undefined
      const refusal = (what: string): Response => {
        sent.push(`${what} 401`)
        return new Response('{}', { status: 401 })
      }
      const answers = (input: string, init?: RequestInit): Response => {
        const { pathname } = new URL(input)
        if (pathname === '/login') {
          const { password } = JSON.parse(String(init?.body)) as { password: string }
          if (password !== 'secret') return refusal('login')
          session = `token ${sent.length}`
          sent.push('login')
          return Response.json({ token: session })
        }
        const token = new Headers(init?.headers).get('access-token')
        if (token === null) return refusal('guest')
        if (token !== session) return refusal('expired')
        sent.push('profile')
        return Response.json({ name: 'Ann' })
      }
      const service = {
        ...todoService(),
        fetch: async (input: unknown, init?: RequestInit) => answers(String(input), init),
      }
      const { screen } = await login.show('account', {}, service as ReturnType<typeof todoService>, controller)
      const send = async (password: string): Promise<void> => {
        fireEvent.input(await screen.findByLabelText('Password'), { target: { value: password } })
        fireEvent.submit(screen.getByLabelText('Password').closest('form') as HTMLFormElement)
      }
      /** The requests since the last call, once the page is quiet. */
      const sentNow = async (): Promise<readonly string[]> => {
        await settle()
        return sent.splice(0)
      }
      await screen.findByLabelText('Password')
      expect(await sentNow()).toEqual(['guest 401'])
      await send('wrong')
      expect((await screen.findByRole('alert')).textContent).toBe('The password is wrong.')
      expect(await sentNow()).toEqual(['login 401'])
      await send('secret')
      await screen.findByText(/Ann/)
      expect(await sentNow()).toEqual(['login', 'profile'])
      screen.getByText('Sign out').click()
      await screen.findByLabelText('Password')
      expect(await sentNow()).toEqual(['guest 401'])
      await send('secret')
      await screen.findByText(/Ann/)
      expect(await sentNow()).toEqual(['login', 'profile'])
      // The server ends the session: whichever request notices that brings the form back.
      session = undefined
      controller.expireAll({ testKey: () => true })
      await screen.findByLabelText('Password')
      expect(await sentNow()).toEqual(['expired 401', 'guest 401'])
      await send('secret')
      await screen.findByText(/Ann/)
      expect(await sentNow()).toEqual(['login', 'profile'])
    })

    test('upload: the share that was sent, then the photo in the list', async () => {
      const requests: FakeXhr[] = []
      vi.stubGlobal(
        'XMLHttpRequest',
        class extends FakeXhr {
          constructor() {
            super()
            requests.push(this)
          }
        },
      )
      const controller = new Controller({ transport: async () => Response.json([{ id: 1, name: 'one.jpg' }]) })
      const { screen, target } = await upload.show('photos', {}, undefined, controller)
      await screen.findByText('one.jpg')
      const input = screen.getByLabelText<HTMLInputElement>('Photo')
      const file = new File(['x'], 'two.jpg')
      Object.defineProperty(input, 'files', { value: [file], configurable: true })
      fireEvent.change(input)
      await waitFor(() => expect(requests).toHaveLength(1))
      requests[0]?.upload.onprogress?.({ loaded: 1, total: 4 })
      await waitFor(() => expect(target.querySelector('progress')?.getAttribute('value')).toBe('0.25'))
      requests[0]?.respond({ id: 2, name: 'two.jpg' })
      await screen.findByText('two.jpg')
      expect(requests[0]?.opened).toEqual(['POST', 'https://api.example.com/photos'])
      await waitFor(() => expect(target.querySelector('progress')).toBeNull())
    })

    test('polymorphic lists: each member by its kind', async () => {
      const items = [
        { type: 'photo', id: 1, url: '/1.jpg' },
        { type: 'video', id: 1, title: 'Rain', seconds: 90 },
      ]
      const controller = new Controller({ transport: async () => Response.json(items) })
      const { screen, target } = await feed.show('feed', {}, undefined, controller)
      await screen.findByText('Rain')
      expect(target.querySelector('img')?.getAttribute('src')).toBe('/1.jpg')
    })

    test('drag and drop: a card that is dropped on another stands before it', async () => {
      const bodies: unknown[] = []
      const cards = [1, 2, 3].map((id) => ({ id, column: 'todo', title: `card ${id}`, position: id }))
      const controller = new Controller({
        transport: async (_, { body }) => {
          if (body) bodies.push(JSON.parse(String(body)))
          return Response.json(body ? { id: 3, ...JSON.parse(String(body)) } : cards)
        },
      })
      const { screen, target } = await drag.show('column', { name: 'todo' }, undefined, controller)
      const data = new Map<string, string>()
      const dataTransfer = { setData: data.set.bind(data), getData: data.get.bind(data) }
      fireEvent.dragStart(await screen.findByText('card 3'), { dataTransfer })
      fireEvent.drop(screen.getByText('card 2'), { dataTransfer })
      const titles = () => [...target.querySelectorAll('li')].map((item) => item.textContent?.trim())
      await waitFor(() => expect(titles()).toEqual(['card 1', 'card 3', 'card 2', '…']))
      await waitFor(() => expect(bodies).toEqual([{ column: 'todo', position: 1.5 }]))
    })
  })
}

class NeverSeen {
  observe(): void {}
  disconnect(): void {}
}

class FakeXhr {
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
  onload: (() => void) | undefined
  opened: readonly string[] = []
  status = 0
  responseText = ''
  open(...opened: string[]): void {
    this.opened = opened
  }
  setRequestHeader(): void {}
  getResponseHeader(): string {
    return 'application/json'
  }
  send(): void {}
  abort(): void {}
  respond(value: object): void {
    this.status = 201
    this.responseText = JSON.stringify(value)
    this.onload?.()
  }
}
