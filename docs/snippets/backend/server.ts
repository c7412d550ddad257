import { backend } from '@roundtable/core/backend'
import { TodoResource } from './api.js'

export const api = backend(
  { TodoResource },
  {
    seed: {
      Todo: [
        { id: 1, userId: 1, title: 'Milk', done: false },
        { id: 2, userId: 1, title: 'Bread', done: true },
        { id: 3, userId: 2, title: 'Cheese', done: false },
      ],
    },
  },
)
