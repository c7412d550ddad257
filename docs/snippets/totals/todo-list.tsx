import { useController, useDLE, useLoading } from '@roundtable/react'
import { createTodo, deleteTodo, getTodos, type Todo } from './api.js'

export function TodoList({ userId }: { userId: number }) {
  const { data: list } = useDLE(getTodos, { userId })
  const controller = useController()
  const [add] = useLoading(() =>
    createTodo(controller, { userId, title: 'Buy a pen' }),
  )
  const [remove] = useLoading((todo: Todo) => deleteTodo(controller, todo))
  return (
    <section>
      <h2>{list?.total} todos</h2>
      <ul>
        {list?.data.map((todo) => (
          <li key={todo.id}>
            {todo.title}{' '}
            <button onClick={() => remove(todo)}>Delete</button>
          </li>
        ))}
      </ul>
      <button onClick={add}>Add</button>
    </section>
  )
}
