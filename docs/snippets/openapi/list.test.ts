import { Controller } from '@roundtable/core'
import { backend } from '@roundtable/core/backend'
import { expect, test } from 'vitest'
import * as api from './api/roundtable.gen.js'

test('a new book enters the list of those that are not read', async () => {
  const seed = { Book: [{ id: 1, title: 'Emma', read: false }] }
  const server = backend(api, { seed })
  const controller = new Controller({ transport: server.transport })

  const { getList, create } = api.BookResource
  const unread = controller.watch(getList, { read: false })
  await unread.load()
  await controller.fetch(create, { title: 'Middlemarch', read: false })
  await controller.fetch(create, { title: 'Ulysses', read: true })

  const titles = unread.getSnapshot().data?.map(({ title }) => title)
  expect(titles).toEqual(['Emma', 'Middlemarch'])
  expect(server.rows('Book')).toHaveLength(3)
  controller.dispose()
})
