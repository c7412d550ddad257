import type { SourceCall, SourceHost } from '../endpoint/options.js'
import { retryAfter } from '../endpoint/retry.js'
import { describe } from '../util/describe.js'
import { CallbackError, OptionError, TimeoutError } from '../util/errors.js'
import { safeUrl } from '../util/safe-url.js'
import { statusOf, toError } from '../util/thrown.js'
import { type ConnectionStatus, IDLE, whyOf } from './connection-status.js'
import { Frame, Messages } from './frame.js'
import { EVENT_ID_HEADER, type LiveOptions } from './options.js'
import { LiveRefusedError } from './refused-error.js'
import { eventOf, type Responses } from './responses.js'
import { Stretch } from './stretch.js'
import { Timers } from './timers.js'
import { untilAborted } from './until-aborted.js'
import type { LiveMessage, WireContext } from './wire.js'

/** How long a connection stays open after its last reader, and on a hidden page, in ms. */
const LINGER = 5_000
const HIDDEN = 30_000
/** How long an open stream may be without a byte before it counts as buffered by a proxy, in ms. */
const FIRST_BYTE = 10_000
/** How long to wait for the first responses, which may name the event after which the stream should begin, in ms. */
const PATIENCE = 1_000
/** A connection that lasted this long counts as successful, in ms. */
const LASTING = 5_000
/** The first and the longest pause between connections, in ms. */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 30_000

/** One connection to a URL, for all readers of a controller. */
export class Connection {
  status: ConnectionStatus = IDLE
  isClosed = false
  /** The current gapless stretch of the stream; undefined before the first one. */
  stretch: Stretch | undefined
  readonly #host: SourceHost
  readonly #url: string
  readonly #options: LiveOptions
  readonly #responses: Responses
  readonly #onStatus: () => void
  /** The name of the source in developer tools. */
  readonly #name: string
  readonly #frame: Frame
  readonly #timers: Timers<'start' | 'retry' | 'silence' | 'firstByte' | 'check' | 'poll' | 'linger' | 'hidden'>
  readonly #stopListening: () => void
  /** The calls that it keeps up to date, by key, with their numbers of readers. */
  readonly #calls = new Map<string, { call: SourceCall; readers: number }>()
  /** Ends the current attempt; undefined if there is none. */
  #attempt: AbortController | undefined
  /** The reason why the last attempt ended, which the next one reports. */
  #ended = ''
  /** Monotonic ms of the last data, and of the opening of the stream. */
  #heardAt = 0
  #openedAt = 0
  /** The shortest pause that the server demands, in ms. */
  #retryFloor = 0
  /** The number of consecutive failed requests for missing data. */
  #failures = 0

  /**
   * @param lifetime - How long its data is fresh: the endpoint's lifetime, in ms.
   * @param onStatus - Called when `status` or `isClosed` has changed.
   */
  constructor(
    host: SourceHost,
    url: string,
    options: LiveOptions,
    responses: Responses,
    lifetime: number | undefined,
    onStatus: () => void,
  ) {
    this.#host = host
    this.#url = url
    this.#options = options
    this.#responses = responses
    this.#onStatus = onStatus
    const { name, messages } = options
    this.#name = `${name} ${safeUrl(url)}`
    const calls = (): SourceCall[] => [...this.#calls.values()].map(({ call }) => call)
    this.#frame = new Frame(host, new Messages(name, messages, lifetime), calls, this.#name)
    this.#timers = new Timers(host.env)
    this.#stopListening = host.env.onChange(() => this.#onPageChange())
    host.signal.addEventListener('abort', this.#close, { once: true })
  }

  // — readers —

  /** Keeps a call up to date, until the returned function is called. */
  add(call: SourceCall): () => void {
    const { key } = call
    const existing = this.#calls.get(key)
    const subscription = existing ?? { call, readers: 0 }
    subscription.call = call
    subscription.readers++
    this.#calls.set(key, subscription)
    this.#timers.clear('linger')
    if (existing === undefined) this.#check(key)
    this.#onPageChange()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      subscription.readers--
      const isRead = [...this.#calls.values()].some(({ readers }) => readers > 0)
      if (!isRead && !this.isClosed) this.#timers.set('linger', LINGER, () => this.#leave())
    }
  }

  /** Closes the connection after it has had no readers for a while. */
  #leave(): void {
    this.#frame.flush()
    for (const key of this.#calls.keys()) this.#host.expire(key)
    this.#calls.clear()
    // A refused connection stays registered, so that the next reader does not reconnect.
    if (this.status.status !== 'refused') this.#close()
  }

  readonly #close = (): void => {
    if (this.isClosed) return
    this.isClosed = true
    this.#frame.drop()
    this.#abort()
    this.#timers.clear()
    this.#stopListening()
    this.#host.signal.removeEventListener('abort', this.#close)
    this.status = IDLE
    this.#onStatus()
  }

  // — the page —

  #onPageChange(): void {
    const { env } = this.#host
    const isVisible = env.isVisible()
    if (!isVisible) this.#frame.hurry(env)
    if (this.isClosed || this.status.status === 'refused') return
    if (isVisible) this.#timers.clear('hidden')
    else if (!this.#timers.has('hidden')) this.#timers.set('hidden', HIDDEN, () => this.#pause('idle', 'hidden'))
    if (!env.isOnline()) this.#pause('waiting', 'offline')
    else if (isVisible && this.#attempt === undefined) this.#connectSoon()
  }

  /** Ends the attempt until the page is back. */
  #pause(status: 'idle' | 'waiting', why: string): void {
    if (this.#attempt !== undefined) this.#tellEnd(why)
    this.#abort()
    this.#timers.clear('retry', 'start')
    this.#set({ status })
  }

  #abort(): void {
    this.#attempt?.abort()
    this.#attempt = undefined
    this.#timers.clear('silence', 'firstByte')
  }

  // — connecting —

  /** Connects after the current step, in which a hook may also send its request. */
  #connectSoon(): void {
    this.#timers.clear('retry')
    if (!this.#timers.has('start')) this.#timers.set('start', 0, () => this.#connect(true))
  }

  #connect(isPatient: boolean): void {
    if (this.#attempt !== undefined) return
    this.#set({ status: 'connecting' })
    const isAsking = [...this.#calls.keys()].some((key) => this.#responses.of(key).flights.size > 0)
    // The response may name the event after which the stream should begin.
    if (isPatient && isAsking && this.stretch === undefined)
      this.#timers.set('start', PATIENCE, () => this.#connect(false))
    else void this.#run()
  }

  async #run(): Promise<void> {
    const attempt = new AbortController()
    this.#attempt = attempt
    this.#listenForSilence()
    let error: Error | undefined
    try {
      await this.#read(attempt.signal)
    } catch (thrown) {
      error = toError(thrown, this.#options.name)
    }
    // The code that aborted the attempt decides what follows.
    if (this.#attempt === attempt) this.#failed(error)
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { wire, maxBuffer = 20_000 } = this.#options
    const headers = await this.#headers()
    if (signal.aborted) return
    const asked = this.stretch?.last ?? this.#firstEventId()
    const context = this.#contextOf(signal, headers, asked)
    let isOpen = false
    const stream = wire(context)
    if (process.env.NODE_ENV !== 'production') checkStream(this.#options.name, stream)
    for await (const messages of untilAborted(stream, signal)) {
      this.#hear()
      if (!isOpen && messages[0]?.type !== 'opened') this.#opened(asked, undefined)
      isOpen = true
      for (const message of messages) {
        this.#take(message, asked)
        if (this.#frame.size < maxBuffer) continue
        // While reading is paused, silence is not the server's.
        this.#timers.clear('silence')
        await this.#frame.written()
        if (signal.aborted) return
        this.#listenForSilence()
      }
    }
  }

  async #headers(): Promise<Headers> {
    try {
      return new Headers(await this.#options.headers?.())
    } catch (cause) {
      throw new CallbackError('headers', this.#url, { cause })
    }
  }

  /** Returns the event that a response names. Other responses are checked when the stream is open. */
  #firstEventId(): string | undefined {
    for (const key of this.#calls.keys()) {
      const eventId = eventOf(this.#responses.of(key).newest)
      if (eventId !== undefined) return eventId
    }
    return undefined
  }

  #contextOf(signal: AbortSignal, headers: Headers, lastEventId: string | undefined): WireContext {
    const { eventIdHeader = EVENT_ID_HEADER } = this.#options
    const { env, transport, report } = this.#host
    const [first] = this.#calls.values()
    return {
      url: this.#url,
      headers,
      lastEventId,
      eventIdHeader,
      signal,
      env,
      send: (to, init) =>
        // A connection always has a call.
        transport === undefined ? fetch(to, init) : transport(to, init, (first as { call: SourceCall }).call.endpoint),
      report,
      awaitByte: () => {
        if (!signal.aborted) this.#timers.set('firstByte', FIRST_BYTE, () => this.#set({ status: 'waiting' }))
      },
    }
  }

  #failed(error: Error | undefined): void {
    const { env } = this.#host
    this.#tellEnd(whyOf(error), error)
    this.#abort()
    const { status, attempt } = this.status
    const isMistake = process.env.NODE_ENV !== 'production' && error instanceof OptionError
    if (isMistake || error instanceof LiveRefusedError) {
      this.#set({ status: 'refused', attempt: attempt + 1, error })
      this.#host.report(error)
      // Nothing keeps the data up to date any more. If the session is over, this request is refused, too, and noticed.
      this.#expireAll('refused, so the endpoint is asked')
      return
    }
    const hasLasted = status === 'open' && env.mono() - this.#openedAt >= LASTING
    const before = hasLasted ? 0 : attempt
    this.#set({ status: 'waiting', attempt: before + 1, error })
    const pause = Math.max(this.#retryFloor, this.#pauseAfter(before, error))
    this.#timers.set('retry', pause, () => this.#connect(false))
  }

  /** The random pause after a failure, in ms. */
  #pauseAfter(before: number, error: Error | undefined): number {
    const { env } = this.#host
    const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** before)
    return Math.max(retryAfter(error, env.now()), env.random() * longest)
  }

  // — messages —

  #hear(): void {
    this.#heardAt = this.#host.env.mono()
    this.#timers.clear('firstByte')
    if (this.status.status === 'waiting') this.#set({ status: 'open' })
  }

  /** Ends the attempt after a long silence, with one timer instead of one per message. */
  #listenForSilence(): void {
    const { env } = this.#host
    const { silence = 45_000 } = this.#options
    this.#heardAt = env.mono()
    const check = (): void => {
      const rest = this.#heardAt + silence - env.mono()
      if (rest > 0) this.#timers.set('silence', rest, check)
      else this.#failed(new TimeoutError(this.#url, silence))
    }
    this.#timers.set('silence', silence, check)
  }

  #take({ type, id, retry, data }: LiveMessage, asked: string | undefined): void {
    if (typeof retry === 'number' && retry >= 0) this.#retryFloor = Math.min(retry, LONGEST_PAUSE * 10)
    const event = isEventId(id) ? id : undefined
    if (type === 'opened') {
      this.#opened(this.stretch?.last ?? asked, event)
      return
    }
    if (event !== undefined) this.stretch?.reach(event)
    if (type === undefined) return
    this.#set({ status: 'open', attempt: 0, error: undefined })
    this.#frame.take(type, data)
  }

  /** Called when a stream opens: it resumes after `asked`, or begins after `position`, or at an unknown event. */
  #opened(asked: string | undefined, position: string | undefined): void {
    this.#openedAt = this.#host.env.mono()
    const isSure = position === asked || (position === undefined && this.#options.resume === 'id')
    const isResumed = asked !== undefined && isSure
    const how = isResumed ? `goes on behind ${asked}` : 'may lack something'
    const by = this.#tell(`open${this.#ended}, ${how}`)
    this.#set({ status: 'open' })
    // A stream that resumes after one response's event may lack events that other responses do not include.
    if (isResumed && asked === this.stretch?.last) return
    this.stretch = new Stretch(isResumed ? asked : position)
    this.#checkAll(by)
  }

  // — missing events —

  #checkAll(by?: number): void {
    for (const key of this.#calls.keys()) this.#check(key, by)
  }

  /** Fetches a key if its response lacks events that the stream does not send. */
  #check(key: string, by?: number): void {
    const { flights, newest } = this.#responses.of(key)
    // A pending response is checked when it arrives.
    if (this.stretch === undefined || flights.size > 0 || newest?.began === this.stretch) return
    if (!this.stretch.continues(eventOf(newest)))
      this.#host.expire(key, by ?? this.#tell('an answer lacks what came before'))
  }

  /**
   * Called when the request of a key has ended.
   *
   * @param isMixed - true if its response may also have replaced newer rows of others
   */
  answered(key: string, error: Error | undefined, isMixed = false): void {
    if (this.stretch === undefined) {
      if (this.#timers.has('start')) this.#timers.set('start', 0, () => this.#connect(true))
    } else if (error === undefined) {
      this.#failures = 0
      this.#check(key)
      if (isMixed) this.#checkAll()
    } else if (!isFinal(statusOf(error))) {
      // The data is still missing.
      this.#timers.set('check', this.#pauseAfter(this.#failures++, error), () => this.#checkAll())
    }
  }

  #expireAll(why: string): void {
    const by = this.#tell(why)
    for (const key of this.#calls.keys()) this.#host.expire(key, by)
  }

  // — status —

  #tell(text: string): number {
    return this.#host.tell('connection', `${this.#name}: ${text}`)
  }

  #tellEnd(why: string, error?: Error): void {
    this.#ended = ` again after ${why}`
    this.#tell(error === undefined ? why : `${why}, ${error.message}`)
  }

  #set(change: Partial<ConnectionStatus>): void {
    const before = this.status
    const status = { ...before, ...change }
    if (before.status === status.status && before.attempt === status.attempt && before.error === status.error) return
    this.status = status
    this.#fallBack()
    this.#onStatus()
  }

  /** Polls while there is no stream. */
  #fallBack(): void {
    const { fallbackPoll } = this.#options
    const { status } = this.status
    if (status !== 'connecting' && status !== 'waiting') this.#timers.clear('poll')
    else if (fallbackPoll !== undefined && !this.#timers.has('poll'))
      this.#timers.set('poll', fallbackPoll, () => {
        const { env } = this.#host
        if (env.isOnline() && env.isVisible()) {
          this.#expireAll('not open, so the endpoint is asked')
        }
        this.#fallBack()
      })
  }
}

/** True if a server would keep responding with this status. */
function isFinal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 429
}

/** True if a text can be sent to the server in a header. */
function isEventId(id: unknown): id is string {
  return typeof id === 'string' && !/[\0\r\n]/.test(id)
}

/** Types exclude `wire: sse` without the call, JavaScript does not: a reconnection would not help. */
function checkStream(name: string, stream: unknown): void {
  if (typeof Object(stream)[Symbol.asyncIterator] === 'function') return
  const isUncalled = typeof stream === 'function'
  const reason = isUncalled ? 'returned another function' : `must return an async iterable, found ${describe(stream)}`
  throw new OptionError('live.wire', `of ${name} ${reason}${isUncalled ? ': call it, as in wire: sse()' : ''}.`)
}
