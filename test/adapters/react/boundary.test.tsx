import { AsyncBoundary, DataProvider, useSuspense } from '@roundtable/react'
import { act, cleanup, render } from '@testing-library/react'
import { startTransition, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { openBoard, type TodoData } from '../../core/engine/todo-board.js'

const row = (id: string): TodoData => ({ id, title: `t${id}`, userId: '1', votes: 0 })

afterEach(() => {
  cleanup()
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
        <Title id={id} />
      </AsyncBoundary>
    )
  }
  function Title({ id }: { readonly id: string }) {
    return useSuspense(getTodo, { id }).title
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
