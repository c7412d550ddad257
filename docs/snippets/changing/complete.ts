import { Controller } from '@roundtable/core'
import { TodoResource } from './api.js'

const controller = new Controller()
try {
  await controller.fetch(
    TodoResource.partialUpdate,
    { id: 1 },
    { completed: true },
  )
} catch (error) {
  console.error(error)
}
controller.dispose()
