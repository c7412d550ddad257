import { Controller } from '@roundtable/core'
import { createTodo, deleteTodo, getTodos } from './api.js'

// The server of this example deletes nothing.
const transport = async (_: unknown, { method, body }: RequestInit) =>
  method === 'DELETE'
    ? new Response('', { status: 503 })
    : Response.json({ id: 3, ...JSON.parse(String(body)) })

const controller = new Controller({ transport })
controller.setResponse(
  getTodos,
  { userId: 1 },
  { data: [{ id: 2, userId: 1, title: 'Read' }], total: 12 },
)
const list = () => controller.getResponse(getTodos, { userId: 1 }).data
const show = () => console.log(list()?.data?.length, 'of', list()?.total)
show() // → 1 of 12

await createTodo(controller, { userId: 1, title: 'Write' })
show() // → 2 of 13

const last = list()?.data?.at(-1)
if (last) {
  const deleted = deleteTodo(controller, last)
  show() // → 1 of 12
  await deleted.catch(() => show()) // → 2 of 13
}
controller.dispose()
