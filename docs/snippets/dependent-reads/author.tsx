import { useDLE } from '@roundtable/react'
import { TodoResource, UserResource } from './api.js'

export function Author({ todoId }: { todoId: number }) {
  const todo = useDLE(TodoResource.get, { id: todoId })
  const user = useDLE(
    UserResource.get,
    todo.data ? { id: todo.data.userId } : null,
  )
  const error = todo.error ?? user.error
  if (error) return <p role="alert">{error.message}</p>
  return <p>{user.data?.name ?? 'Loading …'}</p>
}
