import { useDLE } from '@roundtable/react'
import { useEffect, useRef } from 'react'
import { TodoResource } from './api.js'
import { keepFocus } from './keep-focus.js'
import { TodoItem } from './todo-item.js'

export function TodoLists({ userId }: { userId: number }) {
  const { data: todos = [] } = useDLE(TodoResource.getList, { userId })
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => (root.current ? keepFocus(root.current) : undefined), [])
  return (
    <div ref={root}>
      {[false, true].map((isDone) => (
        <ul key={String(isDone)} aria-label={isDone ? 'Done' : 'Open'}>
          {todos
            .filter(({ completed }) => completed === isDone)
            .map((todo) => (
              <TodoItem key={todo.id} todo={todo} />
            ))}
        </ul>
      ))}
    </div>
  )
}
