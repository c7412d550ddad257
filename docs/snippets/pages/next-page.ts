import { Controller, pagesOf } from '@roundtable/core'
import { getTodos } from './api.js'

const controller = new Controller()
const todos = pagesOf(controller, getTodos, { userId: 1, _limit: 8 })
const stop = todos.subscribe(() => {})

await todos.load()
await controller.fetch(
  getTodos.push,
  { userId: 1 },
  { title: 'Made meanwhile' },
)
controller.on('fetch', ({ args }) => console.log(args[0])) // → { userId: 1, _limit: 8, _page: 2 }
await todos.fetchNext()
const { data, pages, hasNext } = todos.getSnapshot()
console.log(data?.length, pages, hasNext) // → 17 2 true
stop()
controller.dispose()
