import { Controller } from '@roundtable/core'
import { Todo, TodoResource } from './api.js'

const controller = new Controller()
await controller.fetch(TodoResource.get, { id: 1 })
const title = () => controller.get(Todo, { id: 1 })?.title

const saved = controller.fetch(
  TodoResource.partialUpdate,
  { id: 1 },
  { title: 'Buy a pen' },
)
console.log(title()) // → Buy a pen
await saved

const refused = controller.fetch(
  TodoResource.partialUpdate.extend({ path: '/nowhere/:id' }),
  { id: 1 },
  { title: 'Lost' },
)
console.log(title()) // → Lost
await refused.catch(() => {})
console.log(title()) // → Buy a pen
controller.dispose()
