import { useDLE } from '@roundtable/svelte'
import { TodoResource } from './api.js'

export class TodoList {
  userId = $state(1)
  #todos = useDLE(TodoResource.getList, () => ({ userId: this.userId }))

  get open() {
    return this.#todos.data?.filter(({ completed }) => !completed).length
  }
}
