import { RestEndpoint } from '@roundtable/core'
import { backend } from '@roundtable/core/backend'
import { TodoResource } from './api.js'

const urlPrefix = 'https://api.example.com'
const login = new RestEndpoint({
  urlPrefix,
  path: '/login',
  method: 'POST',
})

const Wrapped = TodoResource.extend('getList', {
  process: (value: { data: object[] }) => value.data,
})

export const api = backend(
  { Wrapped },
  {
    answers: [
      {
        endpoint: login,
        response: ({ body }) =>
          body.password === 'secret'
            ? { token: 'abc' }
            : Response.json({ error: 'No' }, { status: 401 }),
      },
    ],
    // The inverse of `process`, for the endpoints that have one.
    send: (value, { endpoint, total }) =>
      endpoint === 'Todo.getList' ? { data: value, total } : value,
  },
)

const response = await api.fetch(`${urlPrefix}/todos`)
console.log(await response.text()) // → {"data":[],"total":0}
const refused = await api.fetch(`${urlPrefix}/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"password":"guess"}',
})
console.log(refused.status) // → 401
