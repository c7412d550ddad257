import { keepPrevious } from '@roundtable/core'
import { useController, useDLE, useLoading } from '@roundtable/react'
import { useState } from 'react'
import { getPage, type Todo, TodoResource } from './api.js'
import { errorText } from './error-text.js'

export function TodoTable() {
  const [page, setPage] = useState(1)
  const list = useDLE(keepPrevious(getPage), { page })
  const controller = useController()
  const [remove, , failure] = useLoading(({ id }: Todo) =>
    controller.fetch(TodoResource.delete, { id }),
  )
  const error = failure ?? list.error
  const pages = Array.from(
    { length: list.data?.pages ?? 0 },
    (_, i) => i + 1,
  )
  return (
    <section aria-busy={list.refreshing}>
      <ul>
        {list.data?.data.map((todo) => (
          <li key={todo.id}>
            {todo.title}{' '}
            <button onClick={() => remove(todo)}>Delete</button>
          </li>
        ))}
      </ul>
      {error && <p role="alert">{errorText(error)}</p>}
      <nav aria-label="Pages">
        {pages.map((number) => (
          <button
            key={number}
            aria-current={number === page ? 'page' : undefined}
            onClick={() => setPage(number)}
          >
            {number}
          </button>
        ))}
      </nav>
    </section>
  )
}
