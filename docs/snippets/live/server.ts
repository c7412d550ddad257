// server.ts
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'

interface Todo {
  readonly id: number
  readonly title: string
}

const todos = new Map<number, Todo>()
/** The newest events, and the number of the last one. */
const log: { readonly id: number; readonly type: string; data: unknown }[] =
  []
let last = 0
const waiting = new Set<() => void>()

function tell(type: string, data: unknown) {
  log.push({ id: ++last, type, data })
  if (log.length > 1_000) log.shift()
  for (const wake of waiting) wake()
  waiting.clear()
}

/** Settles at the next event, and after 15 s in any case. */
const somethingNew = () =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, 15_000)
    waiting.add(() => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Whether the log has all events that came after this one. */
const hasAllAfter = (id: number) => id <= last && id >= last - log.length

export const app = new Hono()

app.get('/todos', (c) => {
  // The list knows all events up to this one.
  c.header('x-event-id', `${last}`)
  return c.json([...todos.values()])
})

app.put('/todos/:id', async (c) => {
  const todo = {
    ...(await c.req.json<Todo>()),
    id: Number(c.req.param('id')),
  }
  const isNew = !todos.has(todo.id)
  todos.set(todo.id, todo)
  tell(isNew ? 'todo.created' : 'todo.changed', todo)
  return c.json(todo)
})

app.delete('/todos/:id', (c) => {
  const id = Number(c.req.param('id'))
  todos.delete(id)
  tell('todo.deleted', { id })
  return c.body(null, 204)
})

app.get('/events', (c) => {
  const asked = Number(c.req.header('last-event-id') ?? last)
  let sent = hasAllAfter(asked) ? asked : last
  // The stream goes on after this one.
  c.header('x-event-id', `${sent}`)
  return streamSSE(c, async (stream) => {
    while (!stream.aborted && hasAllAfter(sent)) {
      // A sign of life: proxies and clients close what is silent.
      await stream.write(':\n\n')
      for (const { id, type, data } of log.filter(({ id }) => id > sent)) {
        await stream.writeSSE({
          id: `${id}`,
          event: type,
          data: JSON.stringify(data),
        })
        sent = id
      }
      if (sent === last) await somethingNew()
    }
  })
})
