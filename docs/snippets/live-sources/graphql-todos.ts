import { Invalidate } from '@roundtable/core'
import { live } from '@roundtable/core/live'
import { Todo, TodoResource } from './api.js'
import { graphql } from './graphql.js'

interface Told {
  readonly todoTold: { readonly event: string; readonly todo: unknown }
}

export const getTodos = TodoResource.getList.extend(
  live({
    name: 'todos',
    url: 'wss://api.example.com/graphql',
    wire: graphql<Told>(
      'subscription { todoTold { event todo { id title } } }',
      ({ todoTold: { event, todo } }) => ({ type: event, data: todo }),
    ),
    messages: {
      changed: Todo,
      created: TodoResource.getList.schema.push,
      deleted: new Invalidate(Todo),
    },
  }),
)
