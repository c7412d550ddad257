import { useController, useSuspense } from '@roundtable/react'
import { TodoResource } from './api.js'

export function Todos({ userId }: { userId: number }) {
  const todos = useSuspense(TodoResource.getList, { userId })
  const controller = useController()
  return todos.map(({ id, title, done }) => (
    <label key={id}>
      <input
        type="checkbox"
        checked={done}
        onChange={() =>
          controller.fetch(
            TodoResource.partialUpdate,
            { id },
            { done: !done },
          )
        }
      />
      {title}
    </label>
  ))
}
