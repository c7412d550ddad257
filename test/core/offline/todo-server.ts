import { Controller, type ControllerOptions, Entity, RestEndpoint, resource, type Transport } from '@roundtable/core'
import { withHttp } from '@roundtable/core/http'
import { type OfflineLog, type OfflineOptions, offline, outbox } from '@roundtable/core/offline'
import { HandClock, settle } from '../engine/clock.js'

export class Task extends Entity {
  static override key = 'Task'
  id = 0
  title = ''
  done = false
}

/** What a server has stored of a task. */
export interface StoredTask {
  readonly id: number
  readonly title: string
  readonly done: boolean
}

/** A request as it has reached the server. */
export interface Reached {
  readonly line: string
  readonly key: string | null
  readonly ifMatch: string | null
}

/** A server of tasks that answers a known Idempotency-Key with the answer that it gave, and does nothing more then. */
export class TaskServer {
  readonly tasks = new Map<number, StoredTask>()
  readonly reached: Reached[] = []
  /** What was done, each time that it was done. */
  readonly applied: string[] = []
  readonly #answers = new Map<string, { readonly status: number; readonly body: unknown; readonly tag: string }>()
  readonly #versions = new Map<number, number>()
  #lastId = 0
  /** Returns a status to refuse a request with, or nothing. */
  refuse: (line: string) => number | Response | undefined = () => undefined
  isReachable = true
  /** Called after a request was applied, and before it is answered. */
  beforeAnswer: (line: string) => void | Promise<void> = () => {}

  /** Holds the answers to requests whose lines begin like this, until the returned function is called. */
  hold(start: string): () => void {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    this.beforeAnswer = (line) => (line.startsWith(start) ? held : undefined)
    return () => {
      this.beforeAnswer = () => {}
      release()
    }
  }

  add(title: string): StoredTask {
    const task = { id: ++this.#lastId, title, done: false }
    this.#put(task)
    return task
  }

  /** Somebody else changes a task. */
  change(id: number, fields: Partial<StoredTask>): void {
    this.#put({ ...(this.tasks.get(id) as StoredTask), ...fields })
  }

  #put(task: StoredTask): void {
    this.tasks.set(task.id, task)
    this.#versions.set(task.id, (this.#versions.get(task.id) ?? 0) + 1)
  }

  readonly transport: Transport = async (input, init) => {
    const { method = 'GET', body } = init
    const url = new URL(String(input))
    const line = `${method} ${url.pathname}${typeof body === 'string' ? ` ${body}` : ''}`
    if (!this.isReachable) throw new TypeError('fetch failed')
    const headers = new Headers(init.headers)
    const key = headers.get('idempotency-key')
    this.reached.push({ line, key, ifMatch: headers.get('if-match') })
    const refusal = this.refuse(line)
    if (refusal instanceof Response) return refusal
    if (refusal !== undefined) return new Response(null, { status: refusal })
    const known = key === null ? undefined : this.#answers.get(key)
    const answer = known ?? this.#handle(method, url, body, headers.get('if-match'))
    if (key !== null && answer.status < 400) this.#answers.set(key, answer)
    if (known === undefined && method !== 'GET' && answer.status < 400) this.applied.push(line)
    await this.beforeAnswer(line)
    const { status, tag } = answer
    if (answer.body === undefined) return new Response(null, { status })
    return Response.json(answer.body, { status, headers: tag ? { etag: tag } : {} })
  }

  #handle(method: string, { pathname, searchParams }: URL, body: unknown, ifMatch: string | null) {
    const [, , id] = pathname.split('/').map(Number)
    const found = id === undefined ? undefined : this.tasks.get(id)
    const tagOf = (one: number): string => `"${one}-${this.#versions.get(one)}"`
    const fields = typeof body === 'string' ? (JSON.parse(body) as Partial<StoredTask>) : {}
    if (id === undefined) {
      const done = searchParams.get('done')
      const isMeant = (task: StoredTask): boolean => done === null || done === `${task.done}`
      if (method !== 'POST') return { status: 200, body: [...this.tasks.values()].filter(isMeant), tag: '' }
      const task = { done: false, title: '', ...fields, id: ++this.#lastId }
      this.#put(task)
      return { status: 201, body: task, tag: tagOf(task.id) }
    }
    if (found === undefined) return { status: 404, body: undefined, tag: '' }
    if (ifMatch !== null && ifMatch !== tagOf(id)) return { status: 412, body: undefined, tag: '' }
    if (method === 'DELETE') {
      this.tasks.delete(id)
      return { status: 204, body: undefined, tag: '' }
    }
    if (method !== 'GET') this.#put({ ...found, ...fields })
    return { status: 200, body: this.tasks.get(id), tag: tagOf(id) }
  }
}

const shared = { urlPrefix: 'https://api.test', path: '/tasks/:id', schema: Task, optimistic: true } as const

export const TaskResource = resource(shared)
export const CarefulTasks = resource({ ...shared, Endpoint: withHttp(RestEndpoint, { ifMatch: 'update', etag: true }) })
export const sendFile = new RestEndpoint({
  urlPrefix: 'https://api.test',
  path: '/tasks',
  method: 'POST',
  body: {} as FormData,
})

export interface AppOptions extends Omit<ControllerOptions, 'env'> {
  readonly env?: HandClock
  readonly offlineOptions?: Partial<OfflineOptions>
}

/** Starts an application on a log and a server. */
export async function openApp(log: OfflineLog, server: TaskServer, { offlineOptions, ...options }: AppOptions = {}) {
  const clock = options.env ?? new HandClock()
  const reported: Error[] = []
  const store = offline({ log, outbox: outbox({ TaskResource, CarefulTasks, sendFile }), ...offlineOptions })
  const controller = new Controller({
    env: clock,
    transport: server.transport,
    onError: (error) => reported.push(error),
    ...options,
    managers: [store, ...(options.managers ?? [])],
  })
  await store.ready
  await rest()
  return {
    clock,
    store,
    controller,
    reported,
    /** What waits, one line for each. */
    waiting: () => store.outbox.getSnapshot().map(({ name, status }) => `${name.split('.')[1] ?? name} ${status}`),
    /** Calls, and notes how it ended. */
    call: <Data>(promise: Promise<Data>) => {
      const end: { value?: Data; error?: Error } = {}
      promise.then(
        (value) => {
          end.value = value
        },
        (error: Error) => {
          end.error = error
        },
      )
      return end
    },
  }
}

/** Waits until nothing more happens without a timer. */
export async function rest(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await settle()
    // Bodies of responses are read in tasks.
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}
