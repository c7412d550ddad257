import { TodoResource } from './api.js'

export const getTodo = TodoResource.get.extend({
  errorPolicy: (error) => (error.status >= 500 ? 'soft' : undefined),
})
