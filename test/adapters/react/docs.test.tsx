import { Controller } from '@roundtable/core'
import { DataProvider } from '@roundtable/react'
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { ComponentType } from 'react'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openPage } from '../../docs/run-page.js'
import { todoService } from '../../docs/todo-service.js'

// The pages load and search in real time; a busy machine takes its own.
configure({ asyncUtilTimeout: 60_000 })
const page = openPage('docs/start/react.md')
const testing = openPage('docs/guides/testing.md')
afterAll(() => {
  page.close()
  testing.close()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('the guide from a search box to an infinite list', async () => {
  const guide = openPage('docs/guides/search-to-infinite-list.md')
  const service = todoService()
  vi.stubGlobal('fetch', service.fetch)
  const { TodoPages } = await guide.load<{ TodoPages: ComponentType<{ userId: number }> }>('todo-pages.tsx')
  const { SearchBox } = await guide.load<{ SearchBox: ComponentType }>('search-box.tsx')
  render(
    <DataProvider controller={new Controller()}>
      <TodoPages userId={1} />
      <SearchBox />
    </DataProvider>,
  )
  expect(await screen.findByText('delectus aut autem')).toBeDefined()
  fireEvent.click(screen.getByText('More'))
  expect(await screen.findByText('fugiat veniam minus')).toBeDefined()
  await waitFor(() => expect((screen.getByText('More') as HTMLButtonElement).disabled).toBe(false))
  fireEvent.click(screen.getByText('More'))
  await waitFor(() => expect(screen.queryByText('More')).toBeNull())
  expect(service.sent).toEqual(
    [1, 2, 3].map((page) => `GET /todos?_limit=2${page === 1 ? '' : `&_page=${page}`}&userId=1`),
  )
  const box = screen.getByLabelText('Search')
  fireEvent.change(box, { target: { value: 'porro' } })
  await waitFor(() => expect(screen.getAllByText('et porro tempora')).toHaveLength(2))
  guide.close()
})

describe('docs/start/react.md', async () => {
  // Its tests are tests here.
  await page.load('todo-item.test.tsx')

  const { App } = await page.load<{ App: ComponentType }>('app.tsx')

  function open() {
    const service = todoService()
    vi.stubGlobal('fetch', service.fetch)
    const controller = new Controller()
    render(
      <DataProvider controller={controller}>
        <App />
      </DataProvider>,
    )
    return service
  }

  test('the app shows the todos of a user, and of another', async () => {
    const service = open()
    expect(await screen.findByText('delectus aut autem')).toBeDefined()
    expect(service.sent.toSorted()).toEqual(['GET /todos?userId=1', 'GET /users', 'GET /users/1'])
    fireEvent.change(await screen.findByLabelText('User'), { target: { value: '2' } })
    expect(await screen.findByText('suscipit repellat esse quibusdam voluptatem incidunt')).toBeDefined()
    expect(screen.getByRole('heading').textContent).toBe('Ervin Howell')
  })

  test('it adds, completes, deletes and finds', async () => {
    const service = open()
    await screen.findByText('delectus aut autem')
    fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Sleep' } })
    fireEvent.submit(screen.getByLabelText('Title').closest('form') as HTMLFormElement)
    expect(screen.getByText('Sleep')).toBeDefined()
    await waitFor(() => expect(service.sent).toContain('POST /todos'))
    const pencil = screen.getByText('delectus aut autem').closest('li') as HTMLElement
    fireEvent.click(within(pencil).getByRole('checkbox'))
    expect((within(pencil).getByRole('checkbox') as HTMLInputElement).checked).toBe(true)
    await waitFor(() => expect(service.sent).toContain('PATCH /todos/1'))
    const item = screen.getByText('Sleep').closest('li') as HTMLElement
    fireEvent.click(within(item).getByText('Delete'))
    await waitFor(() => expect(screen.queryByText('Sleep')).toBeNull())
    fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'suscipit' } })
    expect(await screen.findByText('suscipit repellat esse quibusdam voluptatem incidunt')).toBeDefined()
  })

  test('a change that is refused is reverted and reported, and the page stays', async () => {
    const rejected: unknown[] = []
    const onRejection = (reason: unknown): void => {
      rejected.push(reason)
    }
    process.on('unhandledRejection', onRejection)
    const service = open()
    const item = (await screen.findByText('delectus aut autem')).closest('li') as HTMLElement
    const title = screen.getByLabelText<HTMLInputElement>('Title')
    fireEvent.change(title, { target: { value: 'typed' } })
    service.fail('todos')
    fireEvent.click(within(item).getByRole('checkbox'))
    expect(await screen.findByText(/PATCH .* responded with 503/)).toBeDefined()
    await waitFor(() => expect(within(item).getByRole<HTMLInputElement>('checkbox').checked).toBe(false))
    fireEvent.click(screen.getByText('Close'))
    await waitFor(() => expect(screen.queryByText(/responded with/)).toBeNull())
    fireEvent.click(within(item).getByText('Delete'))
    expect(await screen.findByText(/DELETE .* responded with 503/)).toBeDefined()
    expect(await screen.findByText('delectus aut autem')).toBeDefined()
    expect([title.isConnected, title.value]).toEqual([true, 'typed'])
    await new Promise((resolve) => setTimeout(resolve))
    process.off('unhandledRejection', onRejection)
    expect(rejected).toEqual([])
  })

  test('it shows errors, and retries', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const service = todoService()
    service.fail('todos')
    vi.stubGlobal('fetch', service.fetch)
    render(
      <DataProvider>
        <App />
      </DataProvider>,
    )
    const retry = await screen.findByText('Try again')
    service.fail(undefined)
    fireEvent.click(retry)
    expect(await screen.findByText('delectus aut autem')).toBeDefined()
  })

  test.each(['main.tsx', 'selected-todo.tsx', 'open-count.tsx', 'live-todo.tsx'])('%s loads', async (file) => {
    document.body.innerHTML = '<div id="root"></div>'
    vi.stubGlobal('fetch', todoService().fetch)
    expect(await page.load(file)).toBeDefined()
  })
})

describe('docs/guides/testing.md', async () => {
  // React 18 reports an error that a boundary catches.
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })

  await testing.load('controller.test.ts')
  await testing.load('react.test.tsx')
  await testing.load('todo-title.test.tsx')

  test('the story loads', async () => {
    expect(await testing.load('todo-story.tsx')).toBeDefined()
  })
})
