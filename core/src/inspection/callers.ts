import type { Events } from '../client/events.js'
import { callersIn, isForeign, type StackFrame, stackNow } from './stack.js'

/** The number of requests and actions whose callers are kept: as many as developer tools show. */
const MOST = 1_000
/** The number of callers kept of each. */
const CALLERS = 4

/** A function of the application that called a request or an action. */
export interface InspectedCaller {
  /** The name of the function; empty if it has none. */
  readonly name: string
  /** The address from which its file was loaded, with the parameters of a development server. */
  readonly url: string
  /** The name of the file. */
  readonly file: string
  /** Counted from 1, in the file as it was loaded; 0 if it is not known. */
  readonly line: number
  /** Counted from 1, in the file as it was loaded; 0 if it is not known. */
  readonly column: number
}

/** The callers of requests and actions, from the stack when the event is emitted within the call. Development only. */
export class Callers {
  readonly #callers = new Map<number, readonly InspectedCaller[]>()
  readonly #stops: readonly (() => void)[]

  constructor(events: Events) {
    this.#stops = [
      events.on('fetch', ({ id, cause }) => {
        // Other requests are sent by readers, which have names, or by the library.
        if (cause.type === 'call' || cause.type === 'refetch' || cause.type === 'page') this.#note(id)
      }),
      events.on('action', ({ id }) => this.#note(id)),
    ]
  }

  #note(id: number): void {
    const frames = callersIn(stackNow()).filter((frame) => !isForeign(frame))
    if (frames.length === 0) return
    this.#callers.set(id, frames.slice(0, CALLERS).map(callerOf))
    const [oldest] = this.#callers.keys()
    if (this.#callers.size > MOST && oldest !== undefined) this.#callers.delete(oldest)
  }

  of(id: number): readonly InspectedCaller[] {
    return this.#callers.get(id) ?? []
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }
}

function callerOf({ name, url, file, line, column }: StackFrame): InspectedCaller {
  // V8 adds the receiver of a method and its alias.
  const own = name.replace(/ \[as .*\]$/, '').replace(/^.*[. ]/, '')
  return { name: own.includes('<') ? '' : own, url, file: file.split(/[/\\]/).at(-1) ?? file, line, column }
}
