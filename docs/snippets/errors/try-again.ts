import { Controller } from '@roundtable/core'
import { TodoResource } from './api.js'

const controller = new Controller()
const missing = controller.watch(TodoResource.get, { id: 404 })
const stop = missing.subscribe(() => {})
await missing.load()
const { status, refetch } = missing.getSnapshot()
console.log(status) // → failed

controller.on('fetch', ({ key }) => console.log('again:', key)) // → again: GET https://jsonplaceholder.typicode.com/todos/404
await refetch()
stop()
controller.dispose()
