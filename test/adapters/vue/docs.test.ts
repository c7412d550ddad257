import { Controller } from '@roundtable/core'
import { createDataClient } from '@roundtable/vue'
import { configure, findByLabelText, findByText, fireEvent, queryByText, waitFor } from '@testing-library/dom'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type App, type Component, createApp } from 'vue'
import { openPage } from '../../docs/run-page.js'
import { todoService } from '../../docs/todo-service.js'

// The pages load and search in real time; a busy machine takes its own.
configure({ asyncUtilTimeout: 60_000 })
const page = openPage('docs/start/vue.md')
const testing = openPage('docs/guides/testing.md')
const apps: App[] = []

beforeEach(() => {
  // Vue says that <Suspense> is experimental.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})
})
afterAll(() => {
  page.close()
  testing.close()
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const app of apps.splice(0)) app.unmount()
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

describe('docs/start/vue.md', async () => {
  // Its tests are tests here.
  await page.load('todo-item.test.ts')

  const { default: Root } = await page.load<{ default: Component }>('app.vue')

  function open(service = todoService()) {
    vi.stubGlobal('fetch', service.fetch)
    const root = document.body.appendChild(document.createElement('div'))
    const app = createApp(Root).use(createDataClient({ controller: new Controller() }))
    apps.push(app)
    app.mount(root)
    return { service, root }
  }

  test('the app shows the todos of a user, and of another', async () => {
    const { service, root } = open()
    expect(await findByText(root, 'delectus aut autem')).toBeDefined()
    expect(service.sent.toSorted()).toEqual(['GET /todos?userId=1', 'GET /users', 'GET /users/1'])
    fireEvent.change(await findByLabelText(root, 'User'), { target: { value: '2' } })
    expect(await findByText(root, 'suscipit repellat esse quibusdam voluptatem incidunt')).toBeDefined()
    expect(root.querySelector('h2')?.textContent).toBe('Ervin Howell')
  })

  test('it adds, completes, deletes and finds', async () => {
    const { service, root } = open()
    await findByText(root, 'delectus aut autem')
    const title = (await findByLabelText(root, 'Title')) as HTMLInputElement
    fireEvent.input(title, { target: { value: 'Sleep' } })
    fireEvent.submit(title.closest('form') as HTMLFormElement)
    expect(await findByText(root, 'Sleep')).toBeDefined()
    await waitFor(() => expect(service.sent).toContain('POST /todos'))
    const pencil = (await findByText(root, 'delectus aut autem')).querySelector('input') as HTMLInputElement
    pencil.click()
    await waitFor(() => expect(service.sent).toContain('PATCH /todos/1'))
    expect(pencil.checked).toBe(true)
    const item = (await findByText(root, 'Sleep')).closest('li')
    item?.querySelector('button')?.click()
    await waitFor(() => expect(queryByText(root, 'Sleep')).toBeNull())
    fireEvent.input(await findByLabelText(root, 'Search'), { target: { value: 'suscipit' } })
    expect(await findByText(root, 'suscipit repellat esse quibusdam voluptatem incidunt')).toBeDefined()
  })

  test('it shows errors, and retries', async () => {
    const service = todoService()
    service.fail('todos')
    const { root } = open(service)
    const retry = await findByText(root, 'Try again')
    service.fail(undefined)
    retry.click()
    expect(await findByText(root, 'delectus aut autem')).toBeDefined()
  })

  test('three clicks on one todo send what each shows', async () => {
    const { service, root } = open()
    const pencil = (await findByText(root, 'delectus aut autem')).querySelector('input') as HTMLInputElement
    for (const completed of [true, false, true]) {
      pencil.click()
      await waitFor(() => expect(service.bodies.at(-1)).toEqual({ completed }))
      await waitFor(() => expect(pencil.checked).toBe(completed))
    }
    expect(service.bodies).toHaveLength(3)
  })

  test('a change that is refused is reverted and reported, and the page stays', async () => {
    const { service, root } = open()
    const pencil = (await findByText(root, 'delectus aut autem')).querySelector('input') as HTMLInputElement
    const title = (await findByLabelText(root, 'Title')) as HTMLInputElement
    fireEvent.input(title, { target: { value: 'typed' } })
    service.fail('todos')
    pencil.click()
    expect(await findByText(root, /PATCH .* responded with 503/)).toBeDefined()
    await waitFor(() => expect(pencil.checked).toBe(false))
    expect(title.value).toBe('typed')
    ;(await findByText(root, 'Close')).click()
    await waitFor(() => expect(queryByText(root, /responded with/)).toBeNull())
    const item = (await findByText(root, 'quis ut nam facilis et officia qui')).closest('li')
    item?.querySelector('button')?.click()
    expect(await findByText(root, /DELETE .* responded with 503/)).toBeDefined()
    expect(await findByText(root, 'quis ut nam facilis et officia qui')).toBeDefined()
    expect(title.isConnected).toBe(true)
  })

  const others = ['main.ts', 'selected-todo.vue', 'open-count.vue', 'live-todo.vue', 'todo-page.vue']
  test.each(others)('%s loads', async (file) => {
    document.body.innerHTML = '<div id="app"></div>'
    vi.stubGlobal('fetch', todoService().fetch)
    expect(await page.load(file)).toBeDefined()
  })
})

describe('docs/guides/testing.md', async () => {
  await testing.load('vue.test.ts')

  test('the story loads', async () => {
    expect(await testing.load('story.vue')).toBeDefined()
  })
})
