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

/** What a server does with a request: it responds, or the connection breaks. */
export type Answer = (request: SeenRequest) => Response | Promise<Response>

/** A transport whose server answers each request by a function, and the log of all requests. */
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

/** Answers with one after the other; the last one stays. */
export function inTurn(...answers: readonly Answer[]): Answer {
  let next = 0
  return (request) => {
    const answer = answers[Math.min(next++, answers.length - 1)]
    if (answer === undefined) throw new Error('There are no answers.')
    return answer(request)
  }
}

/** What `fetch` does without a connection. */
export function noConnection(): Promise<Response> {
  return Promise.reject(new TypeError('fetch failed'))
}
