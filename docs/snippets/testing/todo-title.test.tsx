import { AsyncBoundary, DataProvider, useSuspense } from '@roundtable/react'
import { mockController } from '@roundtable/react/testing'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { TodoResource } from './api.js'
import { pencil } from './fixtures.js'

function TodoTitle({ id }: { id: number }) {
  return <h1>{useSuspense(TodoResource.get, { id }).title}</h1>
}

test('the title is a heading', async () => {
  const controller = mockController({
    initialFixtures: [pencil],
    network: 'error',
  })
  render(
    <DataProvider controller={controller}>
      <AsyncBoundary>
        <TodoTitle id={1} />
      </AsyncBoundary>
    </DataProvider>,
  )
  expect(screen.getByRole('heading').textContent).toBe('Sharpen the pencil')
})
