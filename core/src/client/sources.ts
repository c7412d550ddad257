import type { RequestPart, SourceCall, SourceHost } from '../endpoint/options.js'
import { Polling } from '../engine/polling.js'
import { guarded } from '../util/thrown.js'
import type { Runtime } from './runtime.js'
import { writeResponse } from './write.js'

/** A part that keeps a key up to date. */
export type Source = Pick<Required<RequestPart>, 'name' | 'subscribe'>

/** Keeps the keys of a controller up to date by polls and the sources of parts. */
export class Sources implements SourceHost {
  readonly owner: object
  readonly env: SourceHost['env']
  readonly transport: SourceHost['transport']
  readonly report: SourceHost['report']
  /** The polls of keys without another source. */
  readonly polling: Polling
  readonly #runtime: Runtime
  /** The function that restarts each source after a reset, with the key that the source keeps up to date. */
  readonly #running = new Map<() => void, string>()
  #life = new AbortController()

  constructor(runtime: Runtime) {
    this.#runtime = runtime
    this.owner = runtime.network
    this.env = runtime.env
    this.transport = runtime.transport
    this.report = runtime.report
    this.polling = new Polling(runtime.env)
    runtime.events.on('reset', () => {
      this.dispose()
      this.#life = new AbortController()
      for (const restart of [...this.#running.keys()]) restart()
    })
  }

  /** The keys that are kept up to date. */
  get keys(): Iterable<string> {
    return this.#running.values()
  }

  /** Delays the next poll of a key, since another tab polls it now. */
  postpone(key: string): void {
    this.polling.postpone(key)
  }

  /** Starts the source of a call, and returns a function that stops it. Errors of the source are reported. */
  start(call: SourceCall, source: Source): () => void {
    const guard = <Result>(work: () => Result): Result | undefined => guarded(this.report, source.name, call.key, work)
    const begin = (): (() => void) | undefined => guard(() => source.subscribe(this, call))
    let stop = begin()
    const end = (): void => guard(() => stop?.())
    const restart = (): void => {
      end()
      stop = begin()
    }
    this.#running.set(restart, call.key)
    return () => {
      if (this.#running.delete(restart)) end()
    }
  }

  get signal(): AbortSignal {
    return this.#life.signal
  }

  /** Aborts the signal of all sources. */
  dispose(): void {
    this.#life.abort()
  }

  get now(): number {
    return this.#runtime.store.sequence.now
  }

  begin(): number {
    return this.#runtime.store.sequence.begin()
  }

  end(start: number): void {
    const { store } = this.#runtime
    store.sequence.end(start)
    store.prune()
  }

  tell(type: 'message' | 'connection', text: string, start?: number): number {
    return this.#runtime.act(type, text, start)
  }

  notifyOnce(work: () => void): void {
    this.#runtime.store.batch(work)
  }

  write({ endpoint, args }: Omit<SourceCall, 'key'>, data: unknown, start: number): void {
    writeResponse(this.#runtime, endpoint, args, data, start)
  }

  expire(key: string, by?: number): void {
    this.#runtime.store.markKey(key, 'stale', by ?? this.#runtime.act('expire', key))
  }
}
