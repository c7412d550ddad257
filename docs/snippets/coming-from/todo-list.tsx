import { useController, useDLE, useLoading } from '@roundtable/react'
import { TodoResource } from './api.js'

export function TodoList({ userId }: { userId: number }) {
  const { data, loading, error, refreshing, refetch } = useDLE(
    TodoResource.getList,
    { userId },
  )
  const controller = useController()
  const [add, adding, addError] = useLoading((title: string) =>
    controller.fetch(TodoResource.create, { userId, title }),
  )

  if (loading) return <p>…</p>
  if (error) return <button onClick={refetch}>Try again</button>
  return (
    <section aria-busy={refreshing}>
      <ul>
        {data.map((todo) => (
          <li key={todo.id}>{todo.title}</li>
        ))}
      </ul>
      <button disabled={adding} onClick={() => add('Sweep')}>
        Add
      </button>
      {addError && <p>It could not be saved.</p>}
    </section>
  )
}
