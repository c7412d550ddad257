import { useSuspense } from '@roundtable/vue'
import { renderDataCompose } from '@roundtable/vue/testing'
import { expect, test } from 'vitest'
import { TodoResource } from './api.js'
import { gone, pencil } from './fixtures.js'

test('a todo loads, and a change that the server refuses is taken back', async () => {
  const { result, controller, act, advance } = renderDataCompose(
    (props) => useSuspense(TodoResource.get, () => ({ id: props.id })),
    {
      initialProps: { id: 1 },
      network: 'error',
      resolverFixtures: [
        pencil,
        gone,
        {
          endpoint: TodoResource.partialUpdate,
          response: refuse,
          delay: 100,
        },
      ],
    },
  )
  expect(result.pending).toBe(true)
  await advance(100)
  expect(result.current.value.title).toBe('Sharpen the pencil')

  await act(() => {
    controller
      .fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'Buy a pen' })
      .catch(() => {})
  })
  expect(result.current.value.title).toBe('Buy a pen')
  await advance(100)
  expect(result.current.value.title).toBe('Sharpen the pencil')
})

function refuse(): never {
  throw new Error('No')
}
