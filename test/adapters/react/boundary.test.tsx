import { AsyncBoundary, DataProvider, useSuspense } from '@roundtable/react'
import { act, cleanup, render } from '@testing-library/react'
import { Suspense, startTransition, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { openBoard, type TodoData } from '../../core/engine/todo-board.js'
import { HANGS } from '../../hangs.js'

/** Waits for a render outside of `act`. */
const until = (check: () => void) => vi.waitFor(check, { timeout: HANGS })
const row = (id: string): TodoData => ({ id, title: `t${id}`, userId: '1', votes: 0 })

function Title({ of, id }: { readonly of: ReturnType<typeof openBoard>['getTodo']; readonly id: string }) {
  return useSuspense(of, { id }).title
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('keys that change in a transition keep the old screen until the new data has arrived', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { controller, getTodo, server } = openBoard()
  let go = (_: string): void => {}
  function Page() {
    const [id, setId] = useState('1')
    go = setId
    return (
      <AsyncBoundary fallback="loading" errorComponent={({ error }) => error.message} resetKeys={[id]}>
        <Title of={getTodo} id={id} />
      </AsyncBoundary>
    )
  }
  const { container } = render(
    <DataProvider controller={controller}>
      <Page />
    </DataProvider>,
  )
  await act(() => server.one('getTodo', 0).fail())
  expect(container.textContent).toBe('getTodo failed')
  await act(async () => startTransition(() => go('2')))
  expect(container.textContent).toBe('getTodo failed')
  await act(() => server.one('getTodo', 1).answer(row('2')))
  expect(container.textContent).toBe('t2')
  expect(server.requests).toHaveLength(2)
})

test('an error that React hides while the store is emptied is not shown again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { controller, getTodo, server } = openBoard()
  controller.setResponse(getTodo, { id: '2' }, row('2'))
  let go = (_: string): void => {}
  function Page() {
    const [id, setId] = useState('2')
    go = setId
    return (
      <Suspense fallback="hidden">
        <Title of={getTodo} id={id} />{' '}
        <AsyncBoundary fallback="loading" errorComponent={({ error }) => error.message}>
          <Title of={getTodo} id="1" />
        </AsyncBoundary>
      </Suspense>
    )
  }
  const { container } = render(
    <DataProvider controller={controller}>
      <Page />
    </DataProvider>,
  )
  await act(() => server.one('getTodo', 0).fail())
  expect(container.textContent).toBe('t2 getTodo failed')
  await act(async () => go('3'))
  expect(container.textContent).toContain('hidden')
  await act(async () => controller.resetEntireStore())
  const answer = (id: string) =>
    server.requests
      .filter(({ args: [arg] }) => (arg as { id: string }).id === id)
      .at(-1)
      ?.answer(row(id))
  await act(() => answer('3'))
  expect(container.textContent).toBe('t3 loading')
  await act(() => answer('1'))
  expect(container.textContent).toBe('t3 t1')
})

test('an error that React has rendered, but not yet shown, when the store is emptied gives way to the new data', async () => {
  // Outside of `act`, React shows what follows a fallback only after a pause.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { controller, getTodo, server } = openBoard()
  let rendered = 0
  function Failure() {
    rendered++
    return 'failed'
  }
  const root = document.createElement('main')
  const page = createRoot(root)
  page.render(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="loading" errorComponent={Failure}>
        <Title of={getTodo} id="1" />
      </AsyncBoundary>
    </DataProvider>,
  )
  await until(() => expect(root.textContent).toBe('loading'))
  await server.one('getTodo', 0).fail()
  await until(() => expect(rendered).toBeGreaterThan(0))
  controller.resetEntireStore()
  await until(() => expect(server.requests).toHaveLength(2))
  await server.one('getTodo', 1).answer(row('1'))
  await until(() => expect(root.textContent).toBe('t1'))
  page.unmount()
})
