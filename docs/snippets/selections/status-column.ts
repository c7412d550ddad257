import { Controller } from '@roundtable/core'
import { Todo } from './api.js'
import { todosOf } from './todos-of.js'

const controller = new Controller()
const open = controller.view(todosOf, { status: 'open', top: 10 })
const stop = open.subscribe(() => {
  console.log(open.getSnapshot()?.length) // → 1
})
controller.set(Todo, { id: 1 }, { status: 'open' })
stop()
controller.dispose()
