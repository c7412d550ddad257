import { keepPrevious } from '@roundtable/core'
import { useDebounce, usePages } from '@roundtable/react'
import { useState } from 'react'
import { searchTodos } from './api.js'
import { errorText } from './error-text.js'

export function SearchTodos() {
  const [text, setText] = useState('')
  const [q] = useDebounce(text, 200)
  const {
    data: found = [],
    error,
    refreshing,
    hasNext,
    fetchNext,
    fetchingNext,
  } = usePages(
    keepPrevious(searchTodos),
    q === '' ? null : { q, _limit: 2 },
  )
  return (
    <section aria-busy={refreshing}>
      <input
        aria-label="Search"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <ul>
        {found.map((todo) => (
          <li key={todo.id}>{todo.title}</li>
        ))}
      </ul>
      {error && <p role="alert">{errorText(error)}</p>}
      {hasNext && (
        <button onClick={fetchNext} disabled={fetchingNext}>
          More
        </button>
      )}
    </section>
  )
}
