import { Controller } from '@roundtable/core'
import { TodoResource } from './api.js'

const controller = new Controller()
const todos = controller.watch(TodoResource.getList, { userId: 1 })
export const stop = todos.subscribe(() => {
  const { data = [] } = todos.getSnapshot()
  document.title = `${data.filter(({ done }) => !done).length} open`
})

export const check = (id: number, done: boolean) =>
  controller.fetch(TodoResource.partialUpdate, { id }, { done })
