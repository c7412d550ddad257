import {
  Collection,
  type Controller,
  Entity,
  resource,
} from '@roundtable/core'

export class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  userId = 0
  title = ''
}

const TodoResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { userId?: number },
  optimistic: true,
})

export const getTodos = TodoResource.getList.extend({
  schema: { data: new Collection([Todo]), total: 0 },
})

/** Adds to the total beside a user's list. */
const count = (userId: number, by: number) => ({
  [getTodos.key({ userId })]: (stored: unknown) => {
    const list = stored as { total: number } | undefined
    return list && { ...list, total: list.total + by }
  },
})

export function createTodo(
  controller: Controller,
  todo: { userId: number; title: string },
) {
  const create = getTodos.push.extend({
    update: () => count(todo.userId, 1),
  })
  return controller.fetch(create, todo)
}

export function deleteTodo(controller: Controller, { id, userId }: Todo) {
  const remove = TodoResource.delete.extend({
    update: () => count(userId, -1),
  })
  return controller.fetch(remove, { id })
}
