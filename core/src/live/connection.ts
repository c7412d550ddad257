import type { SourceCall, SourceHost } from '../endpoint/options.js'
import { retryAfter } from '../endpoint/retry.js'
import { CallbackError, TimeoutError } from '../util/errors.js'
import { safeUrl } from '../util/safe-url.js'
import { statusOf, toError } from '../util/thrown.js'
import { type ConnectionStatus, IDLE, whyOf } from './connection-status.js'
import { type Board, factsOf, REMEMBERED } from './facts.js'
import { Frame, Messages } from './frame.js'
import { EVENT_ID_HEADER, type LiveOptions } from './options.js'
import { LiveRefusedError } from './refused-error.js'
import type { LiveMessage } from './wire.js'

/** How long it stays open after its last reader, and on a hidden page, in ms. */
const LINGER = 5_000
const HIDDEN = 30_000
/** How long an open stream may be without a byte before it counts as buffered by a proxy, in ms. */
const FIRST_BYTE = 10_000
/** How long to wait for the first responses, which may say where the stream should begin, in ms. */
const PATIENCE = 1_000
/** A connection that lasted this long counts as successful, in ms. */
const LASTING = 5_000
/** The first and the longest pause between connections, in ms. */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 30_000
type TimerName = 'check' | 'start' | 'retry' | 'silence' | 'firstByte' | 'linger' | 'hidden' | 'poll'

/** One connection to a URL, for all readers of a controller. */
export class Connection {
  status: ConnectionStatus = IDLE
  readonly #host: SourceHost
  readonly #url: string
  readonly #options: LiveOptions
  readonly #board: Board
  readonly #frame: Frame
  /** Its name in developer tools. */
  readonly #source: string
  /** The reason why the last connection ended, which the next one reports. */
  #ended = ''
  readonly #timers = new Map<TimerName, unknown>()
  /** The calls that it keeps up to date, and how many read them. */
  readonly #calls = new Map<string, { call: SourceCall; readers: number }>()
  readonly #stopListening: () => void
  /** Ends the current attempt; undefined if there is none. */
  #attempt: AbortController | undefined = undefined
  /** Continues reading although nothing has arrived. */
  #wake: (() => void) | undefined = undefined
  #isClosed = false
  /** True while it waits for a frame rather than for the server. */
  #isPaused = false
  /** Monotonic ms of the last data, and of the opening of the stream. */
  #heardAt = 0
  #openedAt = 0
  /** The shortest pause that the server demands, in ms. */
  #retryFloor = 0
  #lastEventId: string | undefined = undefined
  /** The number of consecutive failed requests for missing data. */
  #failures = 0
  /** The current gapless stretch of the stream; undefined before the first one. */
  stretch: object | undefined = undefined
  /** The last events of it. */
  readonly #heard = new Set<string>()

  /** @param lifetime - How long its data is fresh: the endpoint's lifetime, in ms. */
  constructor(host: SourceHost, url: string, options: LiveOptions, board: Board, lifetime: number | undefined) {
    this.#host = host
    this.#url = url
    this.#options = options
    this.#board = board
    const { name, messages } = options
    this.#source = `${name} ${safeUrl(url)}`
    const calls = (): SourceCall[] => [...this.#calls.values()].map(({ call }) => call)
    this.#frame = new Frame(host, new Messages(name, messages, lifetime), calls, this.#source)
    this.#stopListening = host.env.onChange(() => this.#onPageChange())
    host.signal.addEventListener('abort', this.#close, { once: true })
  }

  // — readers —

  /** Adds a reader of a call. Returns a function that removes it. */
  add(call: SourceCall): () => void {
    const { key } = call
    const existing = this.#calls.get(key)
    const subscription = existing ?? { call, readers: 0 }
    subscription.call = call
    subscription.readers++
    this.#calls.set(key, subscription)
    this.#cancel('linger')
    if (existing === undefined && this.stretch !== undefined) this.#check(key)
    this.#onPageChange()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      subscription.readers--
      if (!this.#isRead && !this.#isClosed) this.#after('linger', LINGER, () => this.#leave())
    }
  }

  get #isRead(): boolean {
    for (const { readers } of this.#calls.values()) if (readers > 0) return true
    return false
  }

  /** It has had no readers for a while, so its data is no longer kept up to date. */
  #leave(): void {
    this.#frame.flush()
    for (const key of this.#calls.keys()) this.#host.expire(key)
    this.#close()
  }

  readonly #close = (): void => {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#frame.drop()
    this.#abort()
    for (const name of this.#timers.keys()) this.#cancel(name)
    this.#stopListening()
    this.#host.signal.removeEventListener('abort', this.#close)
    this.#board.connections.delete(this.#url)
    this.#set(IDLE)
  }

  // — the page —

  #onPageChange(): void {
    const { env } = this.#host
    if (this.#isClosed || this.status.status === 'refused') return
    if (!env.isVisible()) {
      this.#frame.hurry(env)
      if (!this.#timers.has('hidden')) this.#after('hidden', HIDDEN, () => this.#pause('idle', 'hidden'))
    } else this.#cancel('hidden')
    if (!env.isOnline()) this.#pause('waiting', 'offline')
    else if (env.isVisible() && this.#attempt === undefined) this.#startSoon()
  }

  /** Ends the attempt until the page is back. */
  #pause(status: 'idle' | 'waiting', why: string): void {
    if (this.#attempt !== undefined) this.#tellEnd(why)
    this.#abort()
    this.#cancel('retry')
    this.#cancel('start')
    this.#set({ status })
  }

  #abort(): void {
    this.#attempt?.abort()
    this.#attempt = undefined
    this.#wake?.()
    this.#cancel('silence')
    this.#cancel('firstByte')
  }

  // — connecting —

  /** A hook's request may begin in the same step as its source. */
  #startSoon(): void {
    this.#cancel('retry')
    if (!this.#timers.has('start')) this.#after('start', 0, () => this.#start(true))
  }

  /** A request in flight may say where the stream is to begin. */
  #start(isPatient: boolean): void {
    if (this.#attempt !== undefined) return
    const isAsking = [...this.#calls.keys()].some((key) => factsOf(this.#board, key).flights.size > 0)
    if (isPatient && isAsking && this.stretch === undefined) {
      this.#set({ status: 'connecting' })
      this.#after('start', PATIENCE, () => this.#start(false))
    } else void this.#run()
  }

  async #run(): Promise<void> {
    const attempt = new AbortController()
    this.#attempt = attempt
    this.#set({ status: 'connecting' })
    this.#openedAt = this.#host.env.mono()
    this.#listenForSilence()
    let error: Error | undefined
    try {
      await this.#read(attempt.signal)
    } catch (thrown) {
      error = toError(thrown, this.#options.name)
    }
    // The code that aborted it decides what follows.
    if (this.#attempt !== attempt) return
    this.#failed(error)
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { wire, headers, eventIdHeader = EVENT_ID_HEADER, maxBuffer = 20_000 } = this.#options
    const host = this.#host
    const url = this.#url
    const { env, transport } = host
    const evaluated = new Headers(await this.#evaluate(headers))
    if (signal.aborted) return
    const lastEventId = this.#lastEventId ?? this.#firstEventId()
    const [call] = this.#calls.values()
    const stream = wire({
      url,
      headers: evaluated,
      lastEventId,
      eventIdHeader,
      signal,
      env,
      // A connection always has a call.
      send: (to, init) =>
        transport === undefined ? fetch(to, init) : transport(to, init, (call as { call: SourceCall }).call.endpoint),
      report: host.report,
    })[Symbol.asyncIterator]()
    try {
      for (let isOpen = false; ; ) {
        const next = await this.#next(stream)
        if (signal.aborted || next === undefined || next.done) return
        const messages = next.value
        if (!isOpen && messages[0]?.type !== 'opened') this.#opened(lastEventId, undefined)
        this.#hear(isOpen || messages[0]?.type !== 'opened')
        isOpen = true
        for (const message of messages) this.#take(message, lastEventId)
        if (this.#frame.size < maxBuffer) continue
        this.#isPaused = true
        await this.#frame.written()
        this.#isPaused = false
        if (signal.aborted) return
      }
    } finally {
      // A wire that does not end when it is aborted is abandoned.
      void Promise.resolve(stream.return?.()).catch(() => {})
    }
  }

  async #evaluate(headers: LiveOptions['headers']): Promise<HeadersInit | undefined> {
    try {
      return await headers?.()
    } catch (cause) {
      throw new CallbackError('headers', this.#url, { cause })
    }
  }

  /** The next messages of the wire; undefined if the attempt has ended in the meantime. */
  #next(stream: AsyncIterator<readonly LiveMessage[]>): Promise<IteratorResult<readonly LiveMessage[]> | undefined> {
    return new Promise((resolve, reject) => {
      this.#wake = () => resolve(undefined)
      stream.next().then(resolve, reject)
    })
  }

  /** The event that a response names; others may name an earlier one, and are checked when the stream is open. */
  #firstEventId(): string | undefined {
    for (const key of this.#calls.keys()) {
      const { eventId } = factsOf(this.#board, key)
      if (eventId !== undefined) return eventId
    }
    return undefined
  }

  #failed(error: Error | undefined): void {
    const { env } = this.#host
    this.#tellEnd(whyOf(error), error)
    this.#abort()
    if (error instanceof LiveRefusedError) {
      this.#set({ status: 'refused', attempt: this.status.attempt + 1, error })
      this.#host.report(error)
      return
    }
    const hasLasted = this.status.status === 'open' && env.mono() - this.#openedAt >= LASTING
    const before = hasLasted ? 0 : this.status.attempt
    this.#set({ status: 'waiting', attempt: before + 1, error })
    this.#after('retry', Math.max(this.#retryFloor, this.#pauseAfter(before, error)), () => this.#start(false))
  }

  /** The random pause after a failure, in ms. */
  #pauseAfter(before: number, error: Error | undefined): number {
    const { env } = this.#host
    const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** before)
    return Math.max(retryAfter(error, env.now()), env.random() * longest)
  }

  // — what comes —

  #hear(isByte: boolean): void {
    this.#heardAt = this.#host.env.mono()
    if (!isByte) {
      this.#after('firstByte', FIRST_BYTE, () => this.#set({ status: 'waiting' }))
      return
    }
    this.#cancel('firstByte')
    if (this.status.status !== 'open') this.#set({ status: 'open' })
  }

  #listenForSilence(): void {
    const { env } = this.#host
    const { silence = 45_000 } = this.#options
    this.#heardAt = env.mono()
    const check = (): void => {
      const rest = this.#heardAt + silence - env.mono()
      if (this.#isPaused || rest > 0) this.#after('silence', this.#isPaused ? silence : rest, check)
      else this.#failed(new TimeoutError(this.#url, silence))
    }
    this.#after('silence', silence, check)
  }

  #take(message: LiveMessage, lastEventId: string | undefined): void {
    const { type, id, retry, data } = message
    if (typeof retry === 'number' && retry >= 0) this.#retryFloor = Math.min(retry, LONGEST_PAUSE * 10)
    if (type === 'opened') {
      this.#opened(this.#lastEventId ?? lastEventId, isEventId(id) ? id : undefined)
      return
    }
    if (isEventId(id)) this.#reach(id)
    if (type === undefined) return
    if (this.status.attempt > 0 || this.status.error !== undefined) {
      this.#set({ status: 'open', attempt: 0, error: undefined })
    }
    this.#frame.take(type, data)
  }

  #reach(id: string): void {
    this.#lastEventId = id
    this.#heard.add(id)
    if (this.#heard.size <= REMEMBERED) return
    const [oldest] = this.#heard
    if (oldest !== undefined) this.#heard.delete(oldest)
  }

  /** The stream resumes after `asked`, or begins after `position`, or at an unknown event. */
  #opened(asked: string | undefined, position: string | undefined): void {
    this.#openedAt = this.#host.env.mono()
    const isResumed =
      asked !== undefined && (position === asked || (position === undefined && this.#options.resume === 'id'))
    const how = isResumed ? `goes on behind ${asked}` : 'may lack something'
    const by = this.#host.tell('connection', `${this.#source}: open${this.#ended}, ${how}`)
    this.#set({ status: 'open' })
    // A stream that resumes after one response's event may lack events that other responses do not include.
    if (isResumed && asked === this.#lastEventId) return
    this.stretch = {}
    this.#heard.clear()
    this.#lastEventId = undefined
    const from = isResumed ? asked : position
    if (from !== undefined) this.#reach(from)
    this.#checkAll(by)
  }

  /** Fetches keys whose responses lack events that the stream does not send. */
  #check(key: string, by?: number): void {
    const facts = factsOf(this.#board, key)
    const { flights, eventId, stretch } = facts
    // Its response is checked when it arrives.
    if (flights.size > 0 || stretch === this.stretch) return
    if (eventId !== undefined && this.#heard.has(eventId)) facts.stretch = this.stretch
    else
      this.#host.expire(key, by ?? this.#host.tell('connection', `${this.#source}: an answer lacks what came before`))
  }

  #checkAll(by?: number): void {
    for (const key of this.#calls.keys()) this.#check(key, by)
  }

  /** Called when the request of a key is over. */
  answered(key: string, error: Error | undefined): void {
    if (this.stretch === undefined) {
      if (this.#timers.has('start')) {
        this.#cancel('start')
        this.#after('start', 0, () => this.#start(true))
      }
    } else if (error === undefined) {
      this.#failures = 0
      this.#check(key)
    } else if (!isFinal(statusOf(error))) {
      // The data is still missing.
      this.#after('check', this.#pauseAfter(this.#failures++, error), () => this.#checkAll())
    }
  }

  // — helpers —

  #tellEnd(why: string, error?: Error): void {
    this.#ended = ` again after ${why}`
    this.#host.tell('connection', `${this.#source}: ${why}${error === undefined ? '' : `, ${error.message}`}`)
  }

  #set(change: Partial<ConnectionStatus>): void {
    const { fallbackPoll } = this.#options
    const before = this.status
    const status = { ...before, ...change }
    if (before.status === status.status && before.attempt === status.attempt && before.error === status.error) return
    this.status = status
    if (fallbackPoll !== undefined && before.status !== status.status) {
      this.#cancel('poll')
      if (status.status === 'waiting') this.#pollAfter(fallbackPoll)
    }
    for (const listener of [...(this.#board.listeners.get(this.#url) ?? [])]) listener()
  }

  /** Polls while there is no stream. */
  #pollAfter(ms: number): void {
    const { env } = this.#host
    this.#after('poll', ms, () => {
      const isSeen = env.isOnline() && env.isVisible()
      const by = isSeen ? this.#host.tell('connection', `${this.#source}: not open, so the endpoint is asked`) : 0
      if (isSeen) for (const key of this.#calls.keys()) this.#host.expire(key, by)
      this.#pollAfter(ms)
    })
  }

  #after(name: TimerName, ms: number, run: () => void): void {
    const { env } = this.#host
    this.#cancel(name)
    this.#timers.set(
      name,
      env.setTimeout(() => {
        this.#timers.delete(name)
        run()
      }, ms),
    )
  }

  #cancel(name: TimerName): void {
    this.#host.env.clearTimeout(this.#timers.get(name))
    this.#timers.delete(name)
  }
}

/** True if a server would keep responding with this status. */
function isFinal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 429
}

/** True if a text can go back to the server in a header. */
function isEventId(id: unknown): id is string {
  return typeof id === 'string' && !/[\0\r\n]/.test(id)
}
