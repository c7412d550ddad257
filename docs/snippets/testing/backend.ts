import { backend } from '@roundtable/core/backend'
import { TodoResource } from './api.js'

export const api = backend(
  { TodoResource },
  {
    seed: { Todo: [{ id: 1, title: 'Sharpen the pencil' }] },
    delay: 100, // ms
  },
)
