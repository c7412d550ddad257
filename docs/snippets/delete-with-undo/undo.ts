import { Controller } from '@roundtable/core'
import { deleteLater, Todo, TodoResource } from './api.js'

const controller = new Controller()
const todos = await controller.fetch(TodoResource.getList, { userId: 1 })
const shown = () =>
  controller.getResponse(TodoResource.getList, { userId: 1 }).data ?? []
const [first, second] = todos as [Todo, Todo]

const { undo, done } = deleteLater(controller, first)
console.log(shown().length, shown()[0]?.id) // → 19 2
controller.set(Todo, { id: first.id }, { title: 'Renamed meanwhile' })
undo()
await done
console.log(shown().length, shown()[0]?.title) // → 20 Renamed meanwhile

await deleteLater(controller, second, Promise.resolve()).done
console.log(shown().length) // → 19
controller.dispose()
