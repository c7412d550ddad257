import { Controller, Entity, resource } from '@roundtable/core'

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
  isDone = false
}

export const TodoResource = resource({ path: '/todos/:id', schema: Todo, optimistic: true })
export const controller: Controller = new Controller()

const todos = [1, 2, 3].map((id) => ({ id: `${id}`, title: `todo ${id}`, isDone: false }))

/** The server: it answers at once. */
globalThis.fetch = async (input, init) => {
  const id = /todos\/(\d)/.exec(String(input))?.[1]
  const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
  if (id === undefined) return Response.json(todos)
  const todo = todos[Number(id) - 1]
  return Response.json(Object.assign(todo ?? {}, body))
}

/** Finishes the first todo. */
export const finish = (): Promise<unknown> =>
  controller.fetch(TodoResource.partialUpdate, { id: '1' }, { isDone: true })

/** What a list shows. */
export const listed = (found: readonly Todo[] | undefined): string =>
  (found ?? []).map(({ title, isDone }) => `${isDone ? '✓' : '○'} ${title}`).join(', ')
