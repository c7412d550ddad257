import { usePages } from '@roundtable/react'
import { getTodos } from './api.js'

export function TodoPages({ userId }: { userId: number }) {
  const {
    data: todos = [],
    loading,
    error,
    hasNext,
    fetchNext,
    fetchingNext,
  } = usePages(getTodos, { userId, _limit: 8 })
  return (
    <section>
      <ul>
        {todos.map((todo) => (
          <li key={todo.id}>{todo.title}</li>
        ))}
      </ul>
      {error && <p role="alert">That did not load.</p>}
      {hasNext !== false && (
        <button disabled={loading || fetchingNext} onClick={fetchNext}>
          More
        </button>
      )}
    </section>
  )
}
