import { Controller, expires, RestEndpoint } from '@roundtable/core'
import { TodoResource } from './api.js'

export const getUser = new RestEndpoint({
  urlPrefix: 'https://jsonplaceholder.typicode.com',
  path: '/users/:id', // with numbers that the server counts
})

export const completeTodo = TodoResource.partialUpdate.extend({
  parts: [expires(() => [getUser])],
})

const controller = new Controller()
const user = controller.watch(getUser, { id: 1 })
user.subscribe(() => {})
await user.load()

controller.on('fetch', ({ cause }) => console.log(cause.type))
await controller.fetch(completeTodo, { id: 1 }, { completed: true }) // → call
// → expire
