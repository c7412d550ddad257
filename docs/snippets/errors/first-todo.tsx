import { useDLE } from '@roundtable/react'
import { TodoResource } from './api.js'
import { errorText } from './error-text.js'

export function FirstTodo() {
  const { data, error, refreshing, refetch } = useDLE(TodoResource.get, {
    id: 1,
  })
  if (error) {
    return (
      <button disabled={refreshing} onClick={refetch}>
        {errorText(error)} Try again
      </button>
    )
  }
  return <p>{data?.title ?? 'Loading …'}</p>
}
