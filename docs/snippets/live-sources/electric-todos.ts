import { Invalidate } from '@roundtable/core'
import { live } from '@roundtable/core/live'
import { Todo, TodoResource } from './api.js'
import { electric } from './electric.js'

export const getTodos = TodoResource.getList.extend(
  live({
    name: 'todos',
    url: 'https://electric.example.com/v1/shape?table=todos',
    wire: electric,
    messages: {
      update: Todo,
      insert: TodoResource.getList.schema.push,
      delete: new Invalidate(Todo),
    },
  }),
)
