import { useDLE } from '@roundtable/react'
import { useState } from 'react'
import { TodoResource } from './api.js'
import { TodoPage } from './todo-page.js'

// In an application a router chooses the page.
export function TodoApp() {
  const [id, setId] = useState<number>()
  if (id === undefined) return <TodoList open={setId} />
  return <TodoPage id={id} leave={() => setId(undefined)} />
}

function TodoList({ open }: { open: (id: number) => void }) {
  const { data: todos = [] } = useDLE(TodoResource.getList, { userId: 1 })
  return (
    <ul>
      {todos.map(({ id, title }) => (
        <li key={id}>
          <button onClick={() => open(id)}>{title}</button>
        </li>
      ))}
    </ul>
  )
}
