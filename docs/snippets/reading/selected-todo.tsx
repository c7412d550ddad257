import { useSuspense } from '@roundtable/react'
import { TodoResource } from './api.js'

export function SelectedTodo({ id }: { id: number | undefined }) {
  const todo = useSuspense(
    TodoResource.get,
    id === undefined ? null : { id },
  )
  return <p>{todo ? todo.title : 'Nothing is selected'}</p>
}
