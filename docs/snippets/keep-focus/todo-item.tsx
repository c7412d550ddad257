import { useController, useLoading } from '@roundtable/react'
import { type Todo, TodoResource } from './api.js'

export function TodoItem({ todo }: { todo: Todo }) {
  const controller = useController()
  const { id, title, completed } = todo
  const [toggle] = useLoading(() =>
    controller.fetch(
      TodoResource.partialUpdate,
      { id },
      { completed: !completed },
    ),
  )
  const [remove] = useLoading(() =>
    controller.fetch(TodoResource.delete, { id }),
  )
  return (
    <li>
      <label>
        <input
          type="checkbox"
          name={`check-${id}`}
          checked={completed}
          onChange={toggle}
        />{' '}
        {title}
      </label>
      <button name={`delete-${id}`} onClick={remove}>
        Delete
      </button>
    </li>
  )
}
