import { Controller } from '@roundtable/core'
import { TodoResource } from './api.js'

const controller = new Controller()
controller.on('error', ({ error, request }) => {
  if (request?.endpoint.sideEffect) console.log(error.message.slice(0, 62)) // → DELETE https://jsonplaceholder.typicode.com/nowhere/1 responde
})
const deleteNowhere = TodoResource.delete.extend({ path: '/nowhere/:id' })
await controller.fetch(deleteNowhere, { id: 1 }).catch(() => {})
controller.dispose()
