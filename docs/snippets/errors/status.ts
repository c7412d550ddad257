import { Controller, NetworkError } from '@roundtable/core'
import { TodoResource } from './api.js'

const controller = new Controller()
try {
  await controller.fetch(TodoResource.get, { id: 'none' })
} catch (error) {
  if (error instanceof NetworkError) console.log(error.status) // → 404
}
controller.dispose()
