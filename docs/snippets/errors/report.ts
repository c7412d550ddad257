import { Controller } from '@roundtable/core'
import { TodoResource } from './api.js'
import { errorText } from './error-text.js'

const controller = new Controller()
controller.on('error', ({ error, request }) => {
  if (request?.endpoint.sideEffect) console.log(errorText(error)) // → This no longer exists.
})
const deleteNowhere = TodoResource.delete.extend({ path: '/nowhere/:id' })
await controller.fetch(deleteNowhere, { id: 1 }).catch(() => {})
controller.dispose()
