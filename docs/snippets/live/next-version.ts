import { Controller, resource } from '@roundtable/core'
import { VersionedTodo } from './versions.js'

const TodoResource = resource({
  urlPrefix: 'https://jsonplaceholder.typicode.com',
  path: '/todos/:id',
  schema: VersionedTodo,
})

export const changeTodo = TodoResource.partialUpdate.extend({
  getOptimisticResponse(snapshot, { id }, body) {
    const { version = 0 } = snapshot.get(VersionedTodo, { id }) ?? {}
    return { id, ...body, version: version + 1 }
  },
})

const controller = new Controller({
  transport: async () => new Response(null, { status: 204 }),
})
const write = (row: Partial<VersionedTodo>) =>
  controller.set(VersionedTodo, { id: 1 }, row)
const title = () => controller.get(VersionedTodo, { id: 1 })?.title

write({ title: 'One', version: 1 })
await controller.fetch(changeTodo, { id: 1 }, { title: 'Two' })
await controller.fetch(changeTodo, { id: 1 }, { title: 'Three' })
write({ title: 'Two', version: 2 }) // a late message
console.log(title()) // → Three
write({ title: 'Three', version: 3 }) // the last one
console.log(title()) // → Three
controller.dispose()
