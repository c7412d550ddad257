import { useSuspense } from '@roundtable/react'
import { TodoResource, UserResource } from './api.js'

export function UserTodos({ userId }: { userId: number }) {
  const [user, todos] = useSuspense(
    [UserResource.get, { id: userId }],
    [TodoResource.getList, { userId }],
  )
  return (
    <p>
      {user.name}: {todos.length} todos
    </p>
  )
}
