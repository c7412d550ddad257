import { useController, useDLE } from '@roundtable/react'
import { useState } from 'react'
import { deleteLater, type Todo, TodoResource } from './api.js'

export function TodoList({ userId }: { userId: number }) {
  const { data: todos = [] } = useDLE(TodoResource.getList, { userId })
  const controller = useController()
  const [last, setLast] = useState<ReturnType<typeof deleteLater>>()
  const remove = (todo: Todo) => {
    const deletion = deleteLater(controller, todo)
    const forget = () =>
      setLast((shown) => (shown === deletion ? undefined : shown))
    deletion.done.then(forget, forget)
    setLast(deletion)
  }
  return (
    <section>
      <ul>
        {todos.map((todo) => (
          <li key={todo.id}>
            {todo.title}{' '}
            <button onClick={() => remove(todo)}>Delete</button>
          </li>
        ))}
      </ul>
      {last && (
        <p role="status">
          Deleted. <button onClick={last.undo}>Undo</button>
        </p>
      )}
    </section>
  )
}
