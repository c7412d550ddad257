import { keepPrevious } from '@roundtable/core'
import { useCancelling, useDebounce, useDLE } from '@roundtable/react'
import { useState } from 'react'
import { searchTodos } from './api.js'

export function SearchBox() {
  const [text, setText] = useState('')
  const [q] = useDebounce(text, 200)
  const params = q === '' ? null : { q }
  const {
    data: found = [],
    refreshing,
    error,
    refetch,
  } = useDLE(keepPrevious(useCancelling(searchTodos, params)), params)
  return (
    <section aria-busy={refreshing}>
      <input
        aria-label="Search"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {error && <button onClick={refetch}>Try again</button>}
      <ul>
        {found.map((todo) => (
          <li key={todo.id}>{todo.title}</li>
        ))}
      </ul>
    </section>
  )
}
