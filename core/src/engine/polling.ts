import type { Env } from '../util/env.js'
import { growingPause } from '../util/pause.js'

/** Polls that became due while the page was hidden or offline are spread over this many ms when it returns. */
const RETURN_SPREAD = 1_000

/** The delay of a poll that another page has sent, as a fraction of the interval: this to twice this. */
const MARGIN = 0.1

/** A key to poll. */
export interface PollTask {
  readonly key: string
  /** Sends one poll; resolves with whether it succeeded. */
  run(): Promise<boolean>
  /** Monotonic ms at which the last request of the key started; undefined if never. */
  lastStart(): number | undefined
}

interface Poll {
  task: PollTask
  /** The interval of each subscriber in ms. */
  readonly frequencies: number[]
  timer: unknown
  failures: number
  lastStart: number | undefined
  isRunning: boolean
}

/** Polls keys while they have subscribers: one timer per key, at the shortest requested interval. */
export class Polling {
  readonly #env: Env
  readonly #polls = new Map<string, Poll>()
  #stopListening: (() => void) | undefined
  #isAway = false

  constructor(env: Env) {
    this.#env = env
  }

  /** Polls a key every `frequency` ms until the returned function is called. */
  add(task: PollTask, frequency: number): () => void {
    let poll = this.#polls.get(task.key)
    if (poll === undefined) {
      poll = { task, frequencies: [], timer: undefined, failures: 0, lastStart: task.lastStart(), isRunning: false }
      this.#polls.set(task.key, poll)
      this.#listen()
    }
    poll.task = task
    poll.frequencies.push(frequency)
    this.#schedule(poll)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#remove(task.key, frequency)
    }
  }

  /** Delays the next poll because another tab polls the key now: it becomes due a little after that tab's next one. */
  postpone(key: string): void {
    const poll = this.#polls.get(key)
    if (poll === undefined || poll.isRunning) return
    poll.lastStart = this.#env.mono() + this.#pause(poll) * (MARGIN + this.#env.random() * MARGIN)
    this.#schedule(poll)
  }

  #remove(key: string, frequency: number): void {
    const poll = this.#polls.get(key)
    if (poll === undefined) return
    const at = poll.frequencies.indexOf(frequency)
    if (at >= 0) poll.frequencies.splice(at, 1)
    if (poll.frequencies.length > 0) {
      this.#schedule(poll)
      return
    }
    this.#env.clearTimeout(poll.timer)
    this.#polls.delete(key)
    if (this.#polls.size === 0) {
      this.#stopListening?.()
      this.#stopListening = undefined
    }
  }

  #schedule(poll: Poll): void {
    this.#env.clearTimeout(poll.timer)
    poll.timer = undefined
    if (this.#isOut() || poll.isRunning) return
    const due = poll.lastStart === undefined ? 0 : poll.lastStart + this.#pause(poll) - this.#env.mono()
    poll.timer = this.#env.setTimeout(() => this.#run(poll), Math.max(0, due))
  }

  /** The time between two polls: the shortest requested interval, or longer with jitter while polls fail. */
  #pause(poll: Poll): number {
    let frequency = Infinity
    for (const wanted of poll.frequencies) frequency = Math.min(frequency, wanted)
    return growingPause(frequency, poll.failures, this.#env)
  }

  async #run(poll: Poll): Promise<void> {
    poll.timer = undefined
    if (this.#isOut()) return
    poll.isRunning = true
    poll.lastStart = this.#env.mono()
    const started = poll.lastStart
    const isGood = await poll.task.run()
    poll.isRunning = false
    // A part may have held the request back, so it was sent later.
    poll.lastStart = Math.max(started, poll.task.lastStart() ?? started)
    poll.failures = isGood ? 0 : poll.failures + 1
    if (this.#polls.get(poll.task.key) === poll) this.#schedule(poll)
  }

  #isOut(): boolean {
    return !this.#env.isOnline() || !this.#env.isVisible()
  }

  #listen(): void {
    if (this.#stopListening !== undefined) return
    this.#isAway = this.#isOut()
    this.#stopListening = this.#env.onChange(() => {
      const isAway = this.#isOut()
      if (isAway === this.#isAway) return
      this.#isAway = isAway
      for (const poll of this.#polls.values())
        if (isAway) this.#pauseNow(poll)
        else this.#return(poll)
    })
  }

  #pauseNow(poll: Poll): void {
    this.#env.clearTimeout(poll.timer)
    poll.timer = undefined
  }

  /** Schedules one poll in place of all that were missed, at a random time so that many pages do not poll at once. */
  #return(poll: Poll): void {
    if (poll.isRunning) return
    poll.failures = 0
    const due = poll.lastStart === undefined ? 0 : poll.lastStart + this.#pause(poll) - this.#env.mono()
    const wait = due > 0 ? due : this.#env.random() * RETURN_SPREAD
    this.#env.clearTimeout(poll.timer)
    poll.timer = this.#env.setTimeout(() => this.#run(poll), wait)
  }
}
