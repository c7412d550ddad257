import type { Controller } from '@roundtable/core'
import { TodoResource } from './api.js'
import { errorText } from './error-text.js'

export function showTodos(
  list: HTMLUListElement,
  controller: Controller,
  userId: number,
): () => void {
  const todos = controller.watch(TodoResource.getList, { userId })
  const show = () => {
    const { status, data, error } = todos.getSnapshot()
    if (status === 'failed') list.textContent = errorText(error)
    if (status !== 'ready') return
    list.replaceChildren(
      ...data.map(({ id, title, completed }) => {
        const item = document.createElement('li')
        item.textContent = completed ? `${title} ✓` : title
        item.onclick = () =>
          controller.fetch(
            TodoResource.partialUpdate,
            { id },
            { completed: !completed },
          )
        return item
      }),
    )
  }
  show()
  return todos.subscribe(show)
}
