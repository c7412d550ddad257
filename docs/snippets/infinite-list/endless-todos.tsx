import { usePages } from '@roundtable/react'
import { useEffect, useRef } from 'react'
import { getTodos } from './api.js'
import { errorText } from './error-text.js'
import { watchEnd } from './watch-end.js'

export function EndlessTodos({ userId }: { userId: number }) {
  const {
    data: todos = [],
    error,
    pages,
    hasNext,
    fetchNext,
    fetchingNext,
  } = usePages(getTodos, { userId, _limit: 8 })
  const end = useRef<HTMLParagraphElement>(null)
  const isReady = pages > 0 && hasNext && !fetchingNext && !error
  // Starts observing again after each page.
  useEffect(
    () =>
      isReady && end.current ? watchEnd(end.current, fetchNext) : undefined,
    [isReady, pages, fetchNext],
  )
  return (
    <section>
      <ul>
        {todos.map((todo) => (
          <li key={todo.id}>{todo.title}</li>
        ))}
      </ul>
      {error && (
        <button onClick={fetchNext}>{errorText(error)} Try again</button>
      )}
      {hasNext !== false && !error && <p ref={end}>Loading …</p>}
    </section>
  )
}
