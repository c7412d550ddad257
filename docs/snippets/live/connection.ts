import { Controller, poll } from '@roundtable/core'
import { connection } from '@roundtable/core/live'
import { getPushedTodos } from './live-todos.js'

const controller = new Controller()
const status = controller.observe(connection, getPushedTodos, { userId: 1 })
const stop = status.subscribe(() =>
  console.log(status.getSnapshot()?.status),
)
const leave = controller
  .observe(poll, getPushedTodos, { userId: 1 })
  .subscribe(() => {})

leave()
stop()
controller.dispose()
