import { retryAfter } from '../endpoint/retry.js'
import { headerOf, isJson } from '../rest/response.js'
import type { Env } from '../util/env.js'
import { RoundtableError, TimeoutError, TransportError } from '../util/errors.js'
import { statusOf } from '../util/thrown.js'
import type { Answer, ErrorFacts } from './mutation.js'

/** Statuses of servers that are not ready or unreachable: such an attempt does not count. */
const NOT_READY: readonly unknown[] = [408, 425, 429, 502, 503, 504]

/** True if the server was unreachable or not ready, so it has not processed the request. */
export function isUnreached(error: unknown): boolean {
  const status = statusOf(error)
  if (status !== undefined) return NOT_READY.includes(status)
  return error instanceof TransportError || error instanceof TimeoutError
}

/**
 * The meaning of an error for a mutation: whether it may pass, whether the attempt counts, and how long to wait at
 * least.
 */
export function meaningOf(
  error: unknown,
  now: ReturnType<Env['now']>,
): { readonly isPassing: boolean; readonly counts: boolean; readonly isSignedOut: boolean; readonly wait: number } {
  const status = statusOf(error)
  const wait = retryAfter(error, now)
  const isSignedOut = status === 401
  const counts = !isUnreached(error) && !isSignedOut
  return { isPassing: !counts || Number(status) >= 500 || (status === 409 && wait > 0), counts, isSignedOut, wait }
}

/** The first pause after a failure, and the longest one, in ms. */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 60_000

/** Returns how long a mutation waits that has failed this many times before. */
export function pauseAfter(failures: number, env: Env): number {
  return env.random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures)
}

/** Errors that another tab has reported, with their responses. */
const told = new WeakMap<object, ErrorFacts>()

/** Longer bodies of errors are not stored. */
const LONGEST_BODY = 4_000

/** The public facts of an error; `answer` is that of the request that failed with it. */
export function factsOf(error: unknown, answer: Answer = 1): ErrorFacts {
  const facts = told.get(error as Error)
  if (facts !== undefined) return facts
  const { name, message, code } = error as Error & { readonly code?: unknown }
  const status = statusOf(error)
  return {
    name: `${name}`,
    message: `${message}`,
    code: typeof code === 'string' ? code : undefined,
    status,
    // An error with another status does not come from this response.
    body: Array.isArray(answer) && answer[0] === status ? bodyOf(answer as Exclude<Answer, 0 | 1>) : undefined,
  }
}

/** As `body()` of a `NetworkError` returns it. */
function bodyOf([, headers, text]: Exclude<Answer, 0 | 1>): unknown {
  if (text === '' || text.length > LONGEST_BODY) return undefined
  const [, type] = headers.find(([name]) => name === 'content-type') ?? []
  try {
    return type === undefined || isJson(type) ? JSON.parse(text) : text
  } catch {
    return text
  }
}

/** An error that another tab has reported. Code that reads the body of a `NetworkError` finds it here, too. */
export function errorOf(facts: ErrorFacts): Error {
  const { body, ...rest } = facts
  const error = Object.assign(new RoundtableError(facts.message), rest, { body: async () => body })
  told.set(error, facts)
  return error
}

/** Returns the facts of a response for other tabs; 1 if its text must not be shared. */
export async function answerOf(response: Response): Promise<Answer> {
  const isText = response.body === null || /json|text/.test(headerOf(response, 'content-type') ?? '')
  if (!isText || /\bno-store\b/i.test(headerOf(response, 'cache-control') ?? '')) return 1
  try {
    const headers = [...response.headers].filter(([name]) => name !== 'set-cookie')
    return [response.status, headers, await response.clone().text()]
  } catch {
    // The caller that reads it gets the error.
    return 1
  }
}

export function responseOf([status, headers, text]: Exclude<Answer, 0 | 1>): Response {
  return new Response(text === '' ? null : text, {
    status,
    // They are copied.
    headers: headers as [string, string][],
  })
}
