import type { Database, Task } from './db/tables.js'

/** A change of a task, as the stream sends it. */
export interface NewsItem {
  /** Its place in the stream. */
  readonly id: string
  readonly type: 'task.created' | 'task.changed' | 'task.deleted'
  readonly taskId: number
  /** The task as it was when this was told; undefined for one that was deleted. */
  readonly task: Task | undefined
  /** The `Idempotency-Key` of the request that made it, if it had one. */
  readonly by: string | undefined
}

/** A request that has changed tasks. */
export interface TaskChange {
  readonly ids: readonly number[]
  /** True if it has made them. */
  readonly isNew: boolean
  readonly by: string | undefined
}

/** How many changes are remembered for who was cut off. */
const REMEMBERED = 200

/**
 * The last changes of tasks, in the order in which this process has learnt of them. A task is read when its change is
 * sent, so no older state follows a newer one, in whatever order transactions ended.
 */
export class TaskNews {
  readonly #db: Database
  /** Places of an earlier process mean nothing here. */
  readonly #epoch = Date.now().toString(36)
  readonly #log: NewsItem[] = []
  readonly #waiting = new Set<() => void>()
  #last = 0
  #told: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(db: Database) {
    this.#db = db
  }

  /** True once the server is about to stop. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The place behind the last change that was told. */
  get position(): string {
    return `${this.#epoch}-${this.#last}`
  }

  /** The changes after a position; undefined if it is no longer remembered. */
  after(position: string): readonly NewsItem[] | undefined {
    const [epoch, count] = position.split('-')
    const missing = this.#last - Number(count)
    const isKnown = epoch === this.#epoch && missing >= 0 && missing <= this.#log.length
    if (!isKnown) return undefined
    return missing === 0 ? [] : this.#log.slice(-missing)
  }

  /** Tells of a request whose transaction has ended. */
  tell(change: TaskChange): void {
    // A change that cannot be sent is still found by polls.
    this.#told = this.#told.then(() => this.#read(change)).catch(() => {})
  }

  async #read({ ids, isNew, by }: TaskChange): Promise<void> {
    const rows = await this.#db
      .selectFrom('tasks')
      .selectAll()
      .where('id', 'in', [...ids])
      .execute()
    const found = new Map(rows.map((row) => [row.id, row]))
    for (const taskId of ids) {
      const task = found.get(taskId)
      const type = task === undefined ? 'task.deleted' : isNew ? 'task.created' : 'task.changed'
      this.#last += 1
      this.#log.push({ id: this.position, type, taskId, task, by })
    }
    this.#log.splice(0, this.#log.length - REMEMBERED)
    this.#wake()
  }

  /** Settles when there are more changes, or after some time. */
  next(patience: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, patience)
      if (this.#isClosed) done()
      else this.#waiting.add(done)
    })
  }

  /** Ends all streams. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done()
  }
}
