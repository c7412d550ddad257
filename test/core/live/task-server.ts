import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { stream, streamSSE } from 'hono/streaming'
import { WebSocketServer } from 'ws'

/** A task as the server has it. */
export interface TaskData {
  readonly id: number
  readonly title: string
  readonly project: string
}

interface Event {
  readonly id: number
  readonly type: string
  readonly data: unknown
}

/** A server of tasks on a port of this machine, which tells of each change by four kinds of streams. */
export class TaskServer {
  readonly tasks = new Map<number, TaskData>()
  /** The events that a client may still ask for, and how many those are at most. */
  #log: Event[] = []
  readonly #logSize: number
  #lastEvent = 0
  #lastId = 0
  readonly #waiting = new Set<() => void>()
  /** Ends the streams that are open. */
  readonly #streams = new Set<() => void>()
  /** How many requests of the list, and how many streams, there were. */
  lists = 0
  connections = 0
  /** How many events the streams have taken. */
  sent = 0
  /** Called before the list is answered, when it was read. */
  beforeList: () => Promise<void> = async () => {}
  /** The headers of the last stream. */
  streamHeaders: Headers = new Headers()
  #server: Server | undefined = undefined
  #sockets: WebSocketServer | undefined = undefined

  constructor(logSize = 1_000) {
    this.#logSize = logSize
  }

  // — data —

  put(fields: Partial<TaskData>): TaskData {
    const id = fields.id ?? ++this.#lastId
    const before = this.tasks.get(id)
    const task = { title: `t${id}`, project: 'a', ...before, ...fields, id }
    this.tasks.set(id, task)
    this.#tell(before === undefined ? 'created' : 'changed', task)
    return task
  }

  delete(id: number): void {
    if (this.tasks.delete(id)) this.#tell('deleted', { id })
  }

  /** Tells any event. */
  tell(type: string, data: unknown): void {
    this.#tell(type, data)
  }

  #tell(type: string, data: unknown): void {
    this.#log.push({ id: ++this.#lastEvent, type, data })
    if (this.#log.length > this.#logSize) this.#log = this.#log.slice(-this.#logSize)
    this.#wake()
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
    this.#waiting.clear()
  }

  #hasAllAfter(id: number): boolean {
    return id <= this.#lastEvent && id >= this.#lastEvent - this.#log.length
  }

  #after(id: number): Event[] {
    return this.#log.filter((event) => event.id > id)
  }

  /** The event behind which a stream begins that asks for what came after another one. */
  #begin(asked: string | null | undefined): number {
    this.connections++
    const id = asked ? Number(asked) : this.#lastEvent
    return this.#hasAllAfter(id) ? id : this.#lastEvent
  }

  #somethingNew(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  /** Sends the events after one until the stream ends. */
  async #pump(from: number, signal: AbortSignal, send: (event: Event) => Promise<void>): Promise<void> {
    let sent = from
    while (!signal.aborted && this.#hasAllAfter(sent)) {
      for (const event of this.#after(sent)) {
        if (signal.aborted) return
        await send(event)
        this.sent++
        sent = event.id
      }
      if (sent === this.#lastEvent) await this.#somethingNew(signal)
    }
  }

  /** A signal that is aborted when the connections are cut. */
  #life(): AbortController {
    const life = new AbortController()
    const end = (): void => life.abort()
    this.#streams.add(end)
    life.signal.addEventListener('abort', () => this.#streams.delete(end), { once: true })
    return life
  }

  // — connections —

  /** How many streams over HTTP are open. */
  get open(): number {
    return this.#streams.size
  }

  /** Cuts all streams. */
  cut(): void {
    for (const end of [...this.#streams]) end()
    for (const socket of this.#sockets?.clients ?? []) socket.terminate()
  }

  #app(): Hono {
    const app = new Hono()
    app.get('/tasks', async (c) => {
      this.lists++
      const project = c.req.query('project')
      const body = [...this.tasks.values()].filter((task) => project === undefined || task.project === project)
      const eventId = `${this.#lastEvent}`
      await this.beforeList()
      return c.json(body, 200, { 'x-event-id': eventId })
    })
    app.post('/tasks', async (c) => c.json(this.put(await c.req.json<Partial<TaskData>>())))
    app.patch('/tasks/:id', async (c) => {
      const id = Number(c.req.param('id'))
      if (!this.tasks.has(id)) return c.json({}, 404)
      return c.json(this.put({ ...(await c.req.json<Partial<TaskData>>()), id }))
    })
    app.delete('/tasks/:id', (c) => {
      this.delete(Number(c.req.param('id')))
      return c.body(null, 204)
    })
    app.get('/sse', (c) => {
      this.streamHeaders = c.req.raw.headers
      const from = this.#begin(c.req.header('last-event-id'))
      c.header('x-event-id', `${from}`)
      return streamSSE(c, async (out) => {
        const life = this.#life()
        out.onAbort(() => life.abort())
        await out.write(':\n\n')
        await this.#pump(from, life.signal, ({ id, type, data }) =>
          out.writeSSE({ id: `${id}`, event: type, data: JSON.stringify(data) }),
        )
        life.abort()
      })
    })
    app.get('/ndjson', (c) => {
      const from = this.#begin(c.req.header('last-event-id'))
      c.header('x-event-id', `${from}`)
      c.header('content-type', 'application/x-ndjson')
      return stream(c, async (out) => {
        const life = this.#life()
        out.onAbort(() => life.abort())
        await out.write('\n')
        await this.#pump(from, life.signal, async (event) => {
          await out.write(`${JSON.stringify({ ...event, id: `${event.id}` })}\n`)
        })
        life.abort()
      })
    })
    app.get('/poll', async (c) => {
      const asked = c.req.header('last-event-id')
      const from = this.#begin(asked)
      const life = this.#life()
      c.req.raw.signal.addEventListener('abort', () => life.abort())
      const isNow = c.req.header('prefer') === 'wait=0'
      if (!isNow && from === this.#lastEvent && `${from}` === asked) await this.#somethingNew(life.signal)
      // What is cut brings nothing.
      if (life.signal.aborted) return c.json({}, 500)
      life.abort()
      return c.json(
        this.#after(from).map((event) => ({ ...event, id: `${event.id}` })),
        200,
        { 'x-event-id': `${from}` },
      )
    })
    return app
  }

  async listen(): Promise<string> {
    // Without HTTP/2 it is a server of node:http.
    const server = createAdaptorServer({ fetch: this.#app().fetch, overrideGlobalObjects: false }) as Server
    this.#server = server
    const sockets = new WebSocketServer({ server, path: '/socket' })
    this.#sockets = sockets
    sockets.on('connection', (socket, request) => {
      const from = this.#begin(new URL(request.url ?? '', 'http://a').searchParams.get('lastEventId'))
      const life = this.#life()
      socket.on('close', () => life.abort())
      socket.send(JSON.stringify({ type: 'opened', id: `${from}` }))
      void this.#pump(from, life.signal, async (event) =>
        socket.send(JSON.stringify({ ...event, id: `${event.id}` })),
      ).then(() => socket.close())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.cut()
    this.#sockets?.close()
    this.#server?.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve))
  }
}
