import { Invalidate } from '@roundtable/core'
import { live } from '@roundtable/core/live'
import { sse } from '@roundtable/core/sse'
import { Todo, TodoResource } from './api.js'

export const getPushedTodos = TodoResource.getList.extend(
  live({
    name: 'todos',
    url: ({ userId }) => `/events?userId=${userId}`,
    wire: sse(),
    messages: {
      'todo.changed': Todo,
      'todo.created': TodoResource.getList.schema.push,
      'todo.deleted': new Invalidate(Todo),
    },
  }),
)
