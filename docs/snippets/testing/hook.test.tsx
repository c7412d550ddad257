import { useController, useSuspense } from '@roundtable/react'
import { renderDataHook } from '@roundtable/react/testing'
import { expect, test } from 'vitest'
import { TodoResource } from './api.js'
import { gone, pencil } from './fixtures.js'

test('a todo loads, and another is gone', async () => {
  const { result, advance, rerender } = renderDataHook(
    ({ id }) => useSuspense(TodoResource.get, { id }),
    {
      initialProps: { id: 1 },
      network: 'error',
      resolverFixtures: [pencil, gone],
    },
  )
  expect(result.pending).toBe(true)
  await advance(100)
  expect(result.current.title).toBe('Sharpen the pencil')
  await rerender({ id: 2 })
  expect(result.error?.message).toBe('Gone')
})

test('a change that the server refuses is taken back', async () => {
  const { result, act, advance } = renderDataHook(
    () => ({
      todo: useSuspense(TodoResource.get, { id: 1 }),
      controller: useController(),
    }),
    {
      initialFixtures: [pencil],
      network: 'error',
      resolverFixtures: [
        {
          endpoint: TodoResource.partialUpdate,
          response: refuse,
          delay: 100,
        },
      ],
    },
  )
  const { controller } = result.current
  await act(() => {
    controller
      .fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'Buy a pen' })
      .catch(() => {})
  })
  expect(result.current.todo.title).toBe('Buy a pen')
  await advance(100)
  expect(result.current.todo.title).toBe('Sharpen the pencil')
})

function refuse(): never {
  throw new Error('No')
}
