import { Controller } from '@roundtable/core'
import { backend } from '@roundtable/core/backend'
import { AsyncBoundary, DataProvider } from '@roundtable/react'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import * as api from './api/roundtable.gen.js'
import { Books } from './books.js'

const author = { id: 1, name: 'Jane Austen' }
const seed = { Book: [{ id: 1, title: 'Emma', read: false, author }] }

test('books can be added and deleted', async () => {
  const server = backend(api, { seed })
  const controller = new Controller({ transport: server.transport })
  render(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="Loading …">
        <Books />
      </AsyncBoundary>
    </DataProvider>,
  )
  await screen.findByText(/Emma, by Jane Austen/)
  fireEvent.click(screen.getByText('Add'))
  await screen.findByText(/Middlemarch/)
  fireEvent.click(screen.getAllByText('Delete')[0] as HTMLElement)
  await expect.poll(() => screen.queryByText(/Emma/)).toBeNull()
  expect(server.rows('Book')).toMatchObject([{ title: 'Middlemarch' }])
})
