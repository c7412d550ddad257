import { useCache, useQuery } from '@roundtable/react'
import { openCount, Todo, TodoResource } from './api.js'

export function OpenCount() {
  const open = useQuery(openCount)
  const first = useQuery(Todo, { id: 1 })
  const list = useCache(TodoResource.getList, { userId: 1 })
  return (
    <p>
      {open ?? 0} open, {list?.length ?? 0} in the list. {first?.title}
    </p>
  )
}
