import { useSuspense } from '@roundtable/react'
import { TodoResource } from './api.js'
import { TodoItem } from './todo-item.js'

export function TodoList({ userId }: { userId: number }) {
  const todos = useSuspense(TodoResource.getList, { userId })
  return (
    <ul>
      {todos.map((todo) => (
        <TodoItem key={todo.id} todo={todo} />
      ))}
    </ul>
  )
}
