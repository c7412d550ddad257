import { Controller } from '@roundtable/core'
import { TodoResource } from './api.js'

const controller = new Controller()
const todoOf = (id: number | undefined) =>
  controller.watch(
    TodoResource.get,
    ...(id === undefined ? ([null] as const) : [{ id }]),
  )
console.log(
  todoOf(undefined).getSnapshot().status,
  todoOf(5).getSnapshot().status,
) // → idle pending
controller.dispose()
