import type { Transport } from '@roundtable/core'

/** A request as a fake transport saw it. */
export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: unknown
  readonly signal: AbortSignal | null | undefined
  /** The time at which it was sent, if the transport was given a clock. */
  readonly at: number
}

/** The result of a request on the server: a response or a broken connection. */
export type Answer = (request: SeenRequest) => Response | Promise<Response>

/** A transport whose server responds with a function, and the log of all requests. */
export function fakeTransport(answer: Answer, clock: { mono(): number } = { mono: () => 0 }) {
  const seen: SeenRequest[] = []
  const transport: Transport = async (input, init) => {
    const { method = 'GET', body, signal } = init
    const request = { method, url: String(input), headers: new Headers(init.headers), body, signal, at: clock.mono() }
    seen.push(request)
    return answer(request)
  }
  return {
    transport,
    seen,
    /** One line for each request: when, method, URL. */
    log: () => seen.map(({ at, method, url }) => `${at} ${method} ${url}`),
  }
}

/** Responds with these in turn; the last one repeats. */
export function inTurn(...answers: readonly Answer[]): Answer {
  let next = 0
  return (request) => {
    const answer = answers[Math.min(next++, answers.length - 1)]
    if (answer === undefined) throw new Error('There are no answers.')
    return answer(request)
  }
}

/** The behaviour of `fetch` without a connection. */
export function noConnection(): Promise<Response> {
  return Promise.reject(new TypeError('fetch failed'))
}
