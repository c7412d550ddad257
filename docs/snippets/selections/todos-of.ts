import { All } from '@roundtable/core'
import { Todo } from './api.js'

export const todosOf = new All(Todo, {
  belongs: (todo, { status }: { status: Todo['status']; top?: number }) =>
    todo.status === status,
  limit: ({ top = 2 }: { status: Todo['status']; top?: number }) => top,
})
