import type { ActionEvent, Cause, CommitFacts } from '@roundtable/core'
import type { InspectedCaller } from '@roundtable/core/inspect'

/** The place of an event in the log. */
interface Logged {
  /** The number of the event in its session. */
  readonly n: number
  /** Wall clock in ms. */
  readonly at: number
}

/** Consecutive polls of one key that have changed nothing. */
export interface QuietPolls {
  /** The number of polls. */
  readonly count: number
  /** Wall clock in ms at which the first one was sent. */
  readonly since: number
}

/** An event of a session's log. */
export type LogEvent = Logged &
  (
    | {
        readonly type: 'fetch'
        readonly id: number
        readonly key: string
        readonly cause: Cause
        readonly edits: boolean
        /** The functions of the application that called for it, innermost first. Only with `stacks`, and only if one did. */
        readonly callers: readonly InspectedCaller[]
        /** For a poll that has changed nothing, the polls that it represents: the log contains only the last one. */
        readonly quietPolls?: QuietPolls
      }
    | { readonly type: 'retry'; readonly id: number; readonly key: string; readonly error: string }
    | {
        readonly type: 'settle'
        readonly id: number
        readonly key: string
        readonly error: string | undefined
        /** The completion of a mutation; 0 for reads. */
        readonly done: number
      }
    | {
        readonly type: 'action'
        readonly id: number
        readonly action: ActionEvent['type']
        readonly key: string | undefined
        /** The functions of the application that called for it, innermost first. Only with `stacks`, and only if one did. */
        readonly callers: readonly InspectedCaller[]
      }
    | { readonly type: 'commit'; readonly keys: readonly string[]; readonly facts: CommitFacts }
    | { readonly type: 'reset' }
    | { readonly type: 'error'; readonly error: string }
  )

/** One step of an explanation: an event, why it happened, and how many steps lie before it. */
export interface Step {
  readonly event: LogEvent
  readonly because: string
  readonly depth: number
}

/** The maximum number of steps of an explanation. */
const MOST = 60

/** Looks up the causes and effects of events in a log. */
export class Story {
  readonly #events: readonly LogEvent[]
  readonly #byId = new Map<number, LogEvent>()
  readonly #byDone = new Map<number, number>()

  constructor(events: readonly LogEvent[]) {
    this.#events = events
    for (const event of events) {
      if (event.type === 'fetch' || event.type === 'action') this.#byId.set(event.id, event)
      if (event.type === 'settle' && event.done > 0) this.#byDone.set(event.done, event.id)
    }
  }

  /** Returns the direct causes of an event; none for the first event of a chain, or if the log has dropped them. */
  parents(event: LogEvent): readonly LogEvent[] {
    const found = this.#numbersBefore(event).map((by) => this.#byId.get(this.#byDone.get(by) ?? by))
    return found.filter((parent) => parent !== undefined)
  }

  #numbersBefore(event: LogEvent): readonly number[] {
    if (event.type === 'commit') return event.facts.causes
    if (event.type === 'settle' || event.type === 'retry') return [event.id]
    return event.type === 'fetch' && 'by' in event.cause && event.cause.by !== undefined ? [event.cause.by] : []
  }

  /** Returns the whole chain of an event, in the order of events. */
  explain(shown: LogEvent): readonly Step[] {
    // After a poll has changed nothing, its event differs from the one shown while it was in flight.
    const event = this.#events.find(({ n }) => n === shown.n) ?? shown
    let root = event
    const walked = new Set<LogEvent>()
    for (let next: LogEvent | undefined = event; next !== undefined && !walked.has(next); [next] = this.parents(next)) {
      walked.add(next)
      root = next
    }
    const depths = new Map<LogEvent, number>([[root, 0]])
    for (const later of this.#events) {
      if (depths.size >= MOST && !walked.has(later)) continue
      for (const parent of this.parents(later)) {
        const depth = depths.get(parent)
        if (depth !== undefined && !depths.has(later)) depths.set(later, depth + 1)
      }
    }
    return [...depths]
      .sort(([one], [other]) => one.n - other.n)
      .map(([step, depth]) => ({ event: step, because: becauseOf(step), depth }))
  }
}

/** Returns the events without the further events of polls that changed nothing, since one line represents these. */
export function withoutQuietParts(events: readonly LogEvent[]): readonly LogEvent[] {
  const quiet = new Set(events.flatMap((event) => (event.type === 'fetch' && event.quietPolls ? [event.id] : [])))
  if (quiet.size === 0) return events
  return events.filter((event) => {
    if (event.type === 'settle') return !quiet.has(event.id)
    return event.type !== 'commit' || event.facts.causes.some((cause) => !quiet.has(cause))
  })
}

/** Returns a sentence that tells why an event happened. */
export function becauseOf(event: LogEvent): string {
  switch (event.type) {
    case 'fetch':
      return `${sentences[event.cause.type](event.cause as never)}${event.quietPolls ? ` ${becauseOfPolls(event.quietPolls)}` : ''}`
    case 'retry':
      return `An attempt failed, so the request is sent again: ${event.error}`
    case 'settle':
      return event.error === undefined ? 'The server responded.' : `The request failed: ${event.error}`
    case 'action':
      return actions[event.action]
    case 'commit':
      return becauseOfCommit(event.facts)
    case 'reset':
      return 'The application emptied the store.'
    case 'error':
      return event.error
  }
}

function becauseOfPolls({ count, since }: QuietPolls): string {
  if (count === 1) return 'Nothing had changed.'
  return `Nothing had changed, as ${count === 2 ? 'at the one before' : `at the ${plural(count - 1, 'poll')} before`}, since ${new Date(since).toTimeString().slice(0, 8)}.`
}

function becauseOfCommit({ rowCount, readers }: CommitFacts): string {
  const rows = rowCount === 0 ? 'No row changed' : `${plural(rowCount, 'row')} changed`
  return `${rows}, ${readers === 0 ? 'and no reader was notified' : `and ${plural(readers, 'reader')} ${readers === 1 ? 'was' : 'were'} notified`}.`
}

/** Returns an error as text. */
export function messageOf(error: Error): string {
  return `${error.name}: ${error.message}`
}

/** '1 row', '2 rows', '12,000 rows'. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

const sentences: { readonly [Type in Cause['type']]: (cause: Extract<Cause, { type: Type }>) => string } = {
  mount: () => 'A reader mounted, and there was no data yet.',
  args: () => 'A reader changed its arguments, and there was no data for the new ones.',
  expired: () => 'A reader mounted, and the lifetime of the data was over.',
  missing: () => 'Data that a mounted reader showed is gone.',
  refetch: () => 'A reader called refetch().',
  call: () => 'The application called controller.fetch().',
  poll: ({ every }) => `A poll was due: it runs every ${every >= 1_000 ? `${every / 1_000} s` : `${every} ms`}.`,
  page: ({ by }) =>
    by === undefined
      ? 'The next page of a list was wanted.'
      : `The refresh that began with #${by} goes on with this page.`,
  batch: ({ by }) => `Reads of one tick became one request; #${by} was the first of them.`,
  focus: () => 'The user came back to the page, and the data was out of date.',
  online: () => 'The network was back, and the data was out of date.',
  retry: ({ by }) => `An error was dropped, or a conflict had to be resolved: see #${by}.`,
  reset: () => 'The store was emptied while a reader was mounted.',
  invalidate: ({ by }) => `Its data was invalidated by #${by}.`,
  expire: ({ by }) => `Its data was expired by #${by}.`,
  contested: ({ by }) =>
    `A write that completed at #${by} overlapped with the request that had brought the data, so nobody knows which is newer.`,
}

const actions: { readonly [Type in ActionEvent['type']]: string } = {
  set: 'The application wrote a value.',
  setError: 'An error was stored without a response.',
  invalidate: 'The application invalidated data.',
  expire: 'The application expired data.',
  hydrate: 'A state that was made elsewhere, such as on a server, was written.',
  dropError: 'An error boundary or the application dropped an error.',
  focus: 'The page became visible again.',
  online: 'The network came back.',
  message: 'Messages of a live source came, and were written between two frames of the page.',
  connection: 'A live source was connected, or its connection has ended.',
}
