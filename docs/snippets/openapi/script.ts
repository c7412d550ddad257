import { Controller } from '@roundtable/core'
import { BookResource } from './api/roundtable.gen.js'

const controller = new Controller()
const books = controller.watch(BookResource.getList, { read: false })
books.subscribe(() => {
  const { data = [] } = books.getSnapshot()
  console.log(data.map(({ title, author }) => [title, author?.name]))
})
