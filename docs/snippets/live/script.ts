import { Controller, poll } from '@roundtable/core'
import { getLiveTodos } from './api.js'

const controller = new Controller()
const stopPolling = controller
  .observe(poll, getLiveTodos, { userId: 1 })
  .subscribe(() => {})
const todos = controller.peek(getLiveTodos, { userId: 1 })
const stopWatching = todos.subscribe(() =>
  console.log(todos.getSnapshot()?.length),
)

stopWatching()
stopPolling()
controller.dispose()
