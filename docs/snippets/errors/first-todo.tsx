import { useDLE } from '@roundtable/react'
import { TodoResource } from './api.js'

export function FirstTodo() {
  const { data, error, refreshing, refetch } = useDLE(TodoResource.get, {
    id: 1,
  })
  if (error) {
    return (
      <button disabled={refreshing} onClick={refetch}>
        Try again: {error.message}
      </button>
    )
  }
  return <p>{data?.title ?? 'Loading …'}</p>
}
