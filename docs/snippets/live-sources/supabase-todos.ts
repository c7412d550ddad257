import { Invalidate } from '@roundtable/core'
import { live } from '@roundtable/core/live'
import { Todo, TodoResource } from './api.js'
import { supabase } from './supabase.js'

const host = 'wss://project.supabase.co/realtime/v1/websocket'

export const getTodos = TodoResource.getList.extend(
  live({
    name: 'todos',
    url: `${host}?apikey=${process.env.KEY}&vsn=1.0.0`,
    wire: supabase('todos'),
    messages: {
      UPDATE: Todo,
      INSERT: TodoResource.getList.schema.push,
      DELETE: new Invalidate(Todo),
    },
  }),
)
