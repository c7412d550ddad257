import { useDLE } from '@roundtable/react'
import { TodoResource, UserResource } from './api.js'
import { errorText } from './error-text.js'

export function Author({ todoId }: { todoId: number }) {
  const todo = useDLE(TodoResource.get, { id: todoId })
  const user = useDLE(
    UserResource.get,
    todo.data ? { id: todo.data.userId } : null,
  )
  const error = todo.error ?? user.error
  if (error) return <p role="alert">{errorText(error)}</p>
  return <p>{user.data?.name ?? 'Loading …'}</p>
}
