import { Controller } from '@roundtable/core'
import { backend } from '@roundtable/core/backend'
import { expect, test } from 'vitest'
import * as api from './api/roundtable.gen.js'

test('the list of books that are not read follows new and changed books', async () => {
  const seed = { Book: [{ id: 1, title: 'Emma', read: false }] }
  const server = backend(api, { seed })
  const controller = new Controller({ transport: server.transport })

  const { getList, create } = api.BookResource
  const unread = controller.watch(getList, { read: false })
  await unread.load()
  await controller.fetch(create, { title: 'Middlemarch', read: false })
  await controller.fetch(create, { title: 'Ulysses', read: true })

  const titles = () => unread.getSnapshot().data?.map(({ title }) => title)
  expect(titles()).toEqual(['Emma', 'Middlemarch'])

  await controller.fetch(getList.move, { id: 1 }, { read: true })
  expect(titles()).toEqual(['Middlemarch'])
  expect(server.rows('Book')).toHaveLength(3)
  controller.dispose()
})
