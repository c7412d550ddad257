import { useQuery } from '@roundtable/react'
import { useState } from 'react'
import type { Todo } from './api.js'
import { todosOf } from './todos-of.js'

export function StatusColumn({ status }: { status: Todo['status'] }) {
  const [top, setTop] = useState(2)
  const todos = useQuery(todosOf, { status, top }) ?? []
  return (
    <section>
      {todos.map((todo) => (
        <p key={todo.id}>{todo.title}</p>
      ))}
      <button type="button" onClick={() => setTop(top + 10)}>
        Show more
      </button>
    </section>
  )
}
