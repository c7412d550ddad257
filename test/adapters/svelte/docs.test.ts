import { configure, findByLabelText, findByText, fireEvent, queryByText, waitFor } from '@testing-library/dom'
import { type Component, mount, unmount } from 'svelte'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { openPage } from '../../docs/run-page.js'
import { todoService } from '../../docs/todo-service.js'

interface Loaded {
  readonly default: Component<object>
}

// The pages load and search in real time; a busy machine takes its own.
configure({ asyncUtilTimeout: 60_000 })
const page = openPage('docs/start/svelte.md')
const testing = openPage('docs/guides/testing.md')
const mounted: object[] = []

afterAll(() => {
  page.close()
  testing.close()
})
afterEach(async () => {
  for (const component of mounted.splice(0)) await unmount(component)
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

describe('docs/start/svelte.md', async () => {
  // Its tests are tests here.
  await page.load('todo-item.test.ts')

  const { default: App } = await page.load<Loaded>('app.svelte')

  function open(service = todoService()) {
    vi.stubGlobal('fetch', service.fetch)
    const root = document.body.appendChild(document.createElement('div'))
    mounted.push(mount(App, { target: root }))
    return { service, root }
  }

  test('the app shows the todos of a user, and of another', async () => {
    const { service, root } = open()
    expect(await findByText(root, 'delectus aut autem')).toBeDefined()
    expect(service.sent.toSorted()).toEqual(['GET /todos?userId=1', 'GET /users', 'GET /users/1'])
    await findByText(root, 'Ervin Howell')
    const menu = (await findByLabelText(root, 'User')) as HTMLSelectElement
    // Svelte looks for `:checked`, which happy-dom does not find among options.
    menu.querySelector = () => menu.options.item(1)
    fireEvent.change(menu)
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

  test('it shows errors', async () => {
    const service = todoService()
    service.fail('todos')
    const { root } = open(service)
    expect(await findByText(root, /responded with 503/)).toBeDefined()
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

  const others = ['main.ts', 'todo-title.svelte', 'async-page.svelte', 'selected-todo.svelte', 'open-count.svelte']
  test.each([...others, 'stored-todo.svelte', 'live-todo.svelte'])('%s loads', async (file) => {
    document.body.innerHTML = '<div id="app"></div>'
    vi.stubGlobal('fetch', todoService().fetch)
    expect(await page.load(file)).toBeDefined()
  })
})

describe('docs/guides/testing.md', async () => {
  await testing.load('svelte.test.ts')

  test('the story loads', async () => {
    expect(await testing.load('story.svelte')).toBeDefined()
  })
})
