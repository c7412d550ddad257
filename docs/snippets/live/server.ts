import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'

interface Todo {
  readonly id: number
  readonly title: string
}

const todos = new Map<number, Todo>()
interface Event {
  readonly id: number
  readonly type: string
  readonly data: unknown
}

/** The newest events, and the number of the last one. */
const log: Event[] = []
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

/** Whether the log has all events after this one. */
const hasAllAfter = (id: number) => id <= last && id >= last - log.length

/** The event after which a stream begins that requested this one. */
export function begin(asked: string | null | undefined) {
  const id = Number(asked ?? last)
  return hasAllAfter(id) ? id : last
}

/** Sends the events after this one, and those to come, until it is over. */
export async function pump(
  sent: number,
  stream: {
    isOver(): boolean
    beat(): unknown
    send(event: Event): unknown
  },
) {
  while (!stream.isOver() && hasAllAfter(sent)) {
    // A heartbeat: proxies and clients close silent connections.
    await stream.beat()
    for (const event of log.filter(({ id }) => id > sent)) {
      await stream.send(event)
      sent = event.id
    }
    if (sent === last) await somethingNew()
  }
}

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
  const sent = begin(c.req.header('last-event-id'))
  // The stream continues after this event.
  c.header('x-event-id', `${sent}`)
  return streamSSE(c, (stream) =>
    pump(sent, {
      isOver: () => stream.aborted,
      beat: () => stream.write(':\n\n'),
      send: ({ id, type, data }) =>
        stream.writeSSE({
          id: `${id}`,
          event: type,
          data: JSON.stringify(data),
        }),
    }),
  )
})
