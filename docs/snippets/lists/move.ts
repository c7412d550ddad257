import { Controller } from '@roundtable/core'
import { TodoResource } from './api.js'

const controller = new Controller()
const last = (userId: number) =>
  controller.getResponse(TodoResource.getList, { userId }).data?.at(-1)
    ?.title
await controller.fetch(TodoResource.getList, { userId: 1 })
await controller.fetch(TodoResource.getList, { userId: 2 })

const todo = await controller.fetch(TodoResource.create, {
  userId: 2,
  title: 'Buy a pen',
  completed: false,
})
console.log(last(2)) // → Buy a pen

const id = todo?.id ?? 0
await controller.fetch(TodoResource.partialUpdate, { id }, { userId: 1 })
console.log(last(2)) // → Buy a pen

await controller.fetch(TodoResource.getList.move, { id }, { userId: 1 })
console.log(last(1), '|', last(2)) // → Buy a pen | suscipit repellat esse quibusdam voluptatem incidunt
controller.dispose()
