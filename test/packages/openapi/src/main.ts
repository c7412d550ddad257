import { Controller } from '@roundtable/core'
import { BookResource } from './api/roundtable.gen.js'

const controller = new Controller()
const books = await controller.fetch(BookResource.getList, { read: false })
const title: string | undefined = books[0]?.author?.name
await controller.fetch(BookResource.delete, { id: 5 })
// @ts-expect-error: the param has another name.
await controller.fetch(BookResource.delete, { book: 5 })
console.log(title)
