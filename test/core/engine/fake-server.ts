import { settle } from './clock.js'

/** The implementation of a call: it returns the response, or throws. */
export type Handler = (...args: readonly never[]) => unknown

/** The server responds that it has not done what was requested. */
export const refusal: Error = Object.assign(new Error('refused'), { status: 422 })

/** One request: it was sent; the server applies it and the client gets its response only when a test says so. */
export class FakeRequest {
  readonly name: string
  readonly args: readonly unknown[]
  readonly signal: AbortSignal | undefined
  readonly promise: Promise<unknown>
  isAborted = false
  readonly #handler: Handler | undefined
  #outcome: { readonly data: unknown } | { readonly error: unknown } | undefined = undefined
  #resolve: (data: unknown) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(name: string, args: readonly unknown[], signal: AbortSignal | undefined, handler: Handler | undefined) {
    this.name = name
    this.args = args
    this.signal = signal
    this.#handler = handler
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    signal?.addEventListener('abort', () => {
      this.isAborted = true
      this.#reject(signal.reason)
    })
  }

  /** The server applies the request; the response is in flight. */
  apply(): this {
    if (this.#outcome !== undefined) return this
    if (this.#handler === undefined) throw new Error(`The fake server has no handler for ${this.name}.`)
    try {
      // A plain record: later changes on the server do not reach a response that is in flight.
      this.#outcome = { data: structuredClone(this.#handler(...(this.args as never[]))) }
    } catch (error) {
      this.#outcome = { error }
    }
    return this
  }

  /** The response arrives; a request that was not applied yet is applied now. */
  async deliver(): Promise<void> {
    this.apply()
    const outcome = this.#outcome ?? { data: undefined }
    if ('error' in outcome) this.#reject(outcome.error)
    else this.#resolve(outcome.data)
    await settle()
  }

  /** A response made by hand arrives. */
  async answer(data: unknown): Promise<void> {
    this.#outcome = { data }
    await this.deliver()
  }

  /** A failure arrives. */
  async fail(...given: readonly [error?: unknown]): Promise<void> {
    this.#outcome = { error: given.length > 0 ? given[0] : new Error(`${this.name} failed`) }
    await this.deliver()
  }
}

/** A server whose requests are sent, applied and delivered as separate steps, each by hand. */
export class FakeServer {
  readonly requests: FakeRequest[] = []
  readonly #handlers = new Map<string, Handler>()

  /** The function of an endpoint: each call of it is a request of this name. */
  on<Args extends readonly unknown[], Data = unknown>(name: string, handler?: (...args: Args) => Data) {
    // Handlers are called with the arguments that their own endpoint was called with.
    if (handler !== undefined) this.#handlers.set(name, handler as unknown as Handler)
    const send = (args: Args, signal: AbortSignal | undefined): Promise<Data> => {
      const request = new FakeRequest(name, args, signal, this.#handlers.get(name))
      this.requests.push(request)
      // The test that names `Data` answers with it.
      return request.promise as Promise<Data>
    }
    return function (this: unknown, ...args: Args): Promise<Data> {
      // An endpoint is `this` in its function, and carries the signal of the request.
      return send(args, (this as { signal?: AbortSignal } | undefined)?.signal)
    }
  }

  /** Requests of a name, in the order in which they were sent. */
  of(name: string): readonly FakeRequest[] {
    return this.requests.filter((request) => request.name === name)
  }

  /** The request of a name: the only one, unless a position is given (from the end if negative). */
  one(name: string, at?: number): FakeRequest {
    const sent = this.of(name)
    if (at === undefined && sent.length !== 1) throw new Error(`${sent.length} requests of ${name} were sent, not one.`)
    const request = sent.at(at ?? 0)
    if (request === undefined) throw new Error(`No request ${name} at ${at}; ${sent.length} were sent.`)
    return request
  }
}
