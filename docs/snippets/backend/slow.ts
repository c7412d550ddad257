import { backend } from '@roundtable/core/backend'
import { TodoResource } from './api.js'

export const slow = backend(
  { TodoResource },
  {
    delay: ({ method }) => (method === 'GET' ? 100 : 400), // ms
    fail: ({ method }) => method === 'DELETE' && 403, // or a share: 0.1
  },
)
