import { Controller, type Manager } from '@roundtable/core'
import { TodoResource } from './api.js'

const log: Manager = {
  start: (controller) =>
    controller.on('settle', ({ key, error }) =>
      console.log(error ? 'failed' : 'done', key),
    ),
}

const controller = new Controller({ managers: [log] })
await controller.fetch(TodoResource.get, { id: 1 }) // → done GET https://jsonplaceholder.typicode.com/todos/1
controller.dispose()
