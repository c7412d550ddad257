import { useFetch, useSuspense } from '@roundtable/react'
import { Suspense, use } from 'react'
import { type Todo, TodoResource, UserResource } from './api.js'

export function TodoPage({ userId }: { userId: number }) {
  const todos = useFetch(TodoResource.getList, { userId })
  const user = useSuspense(UserResource.get, { id: userId })
  return (
    <section>
      <h2>{user.name}</h2>
      <Suspense fallback={<p>Counting …</p>}>
        <Count todos={todos} />
      </Suspense>
    </section>
  )
}

function Count({ todos }: { todos: Promise<readonly Todo[]> }) {
  return <p>{use(todos).length} todos</p>
}
