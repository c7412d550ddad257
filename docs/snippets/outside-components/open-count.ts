import { atomOf } from '@roundtable/core/nanostores'
import { fromStore } from 'svelte/store'
import { TodoResource } from './api.js'
import { controller } from './controller.js'

const todos = fromStore(
  atomOf(controller.watch(TodoResource.getList, { userId: 1 })),
)

export const openCount = {
  get current() {
    return todos.current.data?.filter(({ completed }) => !completed).length
  },
}
