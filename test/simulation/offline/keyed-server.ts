/** A task as the server holds it. */
export interface StoredTask {
  readonly id: number
  readonly title: string
  readonly note: string
  readonly list: string
  readonly version: number
}

/** The fields that clients change. */
export const TASK_FIELDS = ['title', 'note', 'list'] as const

/** What a request asks for. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly list: string | null
  readonly key: string | null
  readonly ifMatch: string | null
  readonly ifNoneMatch: string | null
  readonly body: Readonly<Record<string, unknown>>
}

/** What the server answers. */
export interface Answered {
  readonly status: number
  readonly body?: unknown
  readonly tag?: string | undefined
}

/** Something that was done, by whom, and the version of the row since. */
export interface Done {
  readonly id: number
  /** The Idempotency-Key of the request; undefined for what others did. */
  readonly key: string | undefined
  readonly fields: Readonly<Record<string, unknown>>
  readonly version: number
  /** Its place among all that was done. */
  readonly at: number
}

/** The server of one user, which does nothing again for an Idempotency-Key that it knows, and answers as it did. */
export class KeyedServer {
  readonly tasks = new Map<number, StoredTask>()
  readonly done: Done[] = []
  /** The Idempotency-Keys of deletions that found no row: if they were sent before, they have succeeded. */
  readonly missed = new Set<string>()
  /** Every value that a field of a row has ever had. */
  readonly #values = new Map<string, Set<unknown>>()
  readonly #answers = new Map<string, Answered>()
  #lastId = 0

  constructor(tasks: number) {
    for (let i = 0; i < tasks; i++) this.create({ title: `first ${i}`, list: i % 2 === 0 ? 'x' : 'y' }, undefined)
  }

  /** True if a field of a row has ever had a value. */
  hasHad(id: number, field: string, value: unknown): boolean {
    return this.#values.get(`${id} ${field}`)?.has(value) === true
  }

  list(list: string): readonly StoredTask[] {
    return [...this.tasks.values()].filter((task) => task.list === list)
  }

  create(fields: Readonly<Record<string, unknown>>, key: string | undefined): StoredTask {
    const id = ++this.#lastId
    this.#put({ title: '', note: '', list: '', ...fields, id, version: 0 }, fields, key)
    return this.tasks.get(id) as StoredTask
  }

  change(id: number, fields: Readonly<Record<string, unknown>>, key: string | undefined): void {
    const task = this.tasks.get(id)
    if (task !== undefined) this.#put({ ...task, ...fields, id }, fields, key)
  }

  remove(id: number, key: string | undefined): void {
    if (this.tasks.delete(id)) this.done.push({ id, key, fields: {}, version: Infinity, at: this.done.length })
  }

  #put(task: StoredTask, fields: Readonly<Record<string, unknown>>, key: string | undefined): void {
    const { id } = task
    const version = task.version + 1
    this.tasks.set(id, { ...task, version })
    for (const field of TASK_FIELDS) {
      const name = `${id} ${field}`
      this.#values.set(name, (this.#values.get(name) ?? new Set()).add(task[field]))
    }
    this.done.push({ id, key, fields, version, at: this.done.length })
  }

  /** True for the Idempotency-Key of a request that has acted. */
  hasAnswered(key: string | null): boolean {
    return key !== null && this.#answers.has(key)
  }

  /** Gets to a request: each time that it reaches the server. */
  answer(asked: Asked): Answered {
    const before = asked.key === null ? undefined : this.#answers.get(asked.key)
    if (before !== undefined) return before
    const answer = this.#act(asked)
    if (asked.key !== null && answer.status < 400) this.#answers.set(asked.key, answer)
    return answer
  }

  #act({ method, path, list, key, ifMatch, ifNoneMatch, body }: Asked): Answered {
    const id = Number(path.split('/')[2] ?? 0)
    const by = key ?? undefined
    if (id === 0) {
      if (method !== 'POST') return { status: 200, body: list === null ? [...this.tasks.values()] : this.list(list) }
      const task = this.create(body, by)
      return { status: 201, body: task, tag: tagOf(task) }
    }
    const task = this.tasks.get(id)
    if (task === undefined) {
      if (method === 'DELETE' && by !== undefined) this.missed.add(by)
      return { status: 404 }
    }
    if (method === 'GET')
      return ifNoneMatch === tagOf(task)
        ? { status: 304, tag: tagOf(task) }
        : { status: 200, body: task, tag: tagOf(task) }
    if (ifMatch !== null && ifMatch !== tagOf(task)) return { status: 412 }
    if (method === 'DELETE') {
      this.remove(id, by)
      return { status: 204 }
    }
    this.change(id, body, by)
    const changed = this.tasks.get(id) as StoredTask
    return { status: 200, body: changed, tag: tagOf(changed) }
  }
}

/** The validator of a task as it is. */
export function tagOf({ id, version }: Pick<StoredTask, 'id' | 'version'>): string {
  return `"${id}-${version}"`
}
