import type { Fixture, Interceptor } from '@roundtable/core/testing'
import { TodoResource } from './api.js'

export const pencil: Fixture = {
  endpoint: TodoResource.get,
  args: [{ id: 1 }],
  response: { id: 1, title: 'Sharpen the pencil' },
  delay: 100, // ms; 0 by default
}

export const gone: Fixture = {
  endpoint: TodoResource.get,
  args: [{ id: 2 }],
  response: new Error('Gone'),
  error: true, // the call fails
}

export const saved: Interceptor = {
  endpoint: TodoResource.partialUpdate,
  response: ({ id }: { id: number }, body: object) => ({ id, ...body }), // may throw
  delay: 200, // or a function of the arguments
}
