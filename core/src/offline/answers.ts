import { retryAfter } from '../endpoint/retry.js'
import { headerOf } from '../rest/response.js'
import type { Env } from '../util/env.js'
import { RoundtableError, TimeoutError, TransportError } from '../util/errors.js'
import { statusOf } from '../util/thrown.js'
import type { Answer, ErrorFacts } from './outbox.js'

/** Statuses of servers that are not ready, or not reached: such an attempt does not count. */
const NOT_READY: readonly unknown[] = [408, 425, 429, 502, 503, 504]

/** True if a server was not reached, or is not ready: it has said nothing of what it was asked. */
export function isUnreached(error: unknown): boolean {
  const status = statusOf(error)
  if (status !== undefined) return NOT_READY.includes(status)
  return error instanceof TransportError || error instanceof TimeoutError
}

/** What an error means for a mutation: it may pass, and then also whether the attempt counts, and for how long to wait at least. */
export function meaningOf(
  error: unknown,
  now: ReturnType<Env['now']>,
): { readonly isPassing: boolean; readonly counts: boolean; readonly isSignedOut: boolean; readonly wait: number } {
  const status = statusOf(error)
  const wait = retryAfter(error, now)
  const isPassing = isUnreached(error) || Number(status) >= 500
  const isReady = status !== undefined && !NOT_READY.includes(status)
  return {
    isPassing: isPassing || (status === 409 && wait > 0),
    counts: isReady && status !== 401,
    isSignedOut: status === 401,
    wait,
  }
}

export function factsOf(error: unknown): ErrorFacts {
  const { name, message, code, status } = error as Error & { readonly code?: unknown; readonly status?: unknown }
  return {
    name: `${name}`,
    message: `${message}`,
    code: typeof code === 'string' ? code : undefined,
    status: typeof status === 'number' ? status : undefined,
  }
}

/** An error that another tab has told of. */
export function errorOf(facts: ErrorFacts): Error {
  return Object.assign(new RoundtableError(facts.message), facts)
}

/** Returns what other tabs need of a response; 1 for one of which they may not have the text. */
export async function answerOf(response: Response): Promise<Answer> {
  const isText = response.body === null || /json|text/.test(headerOf(response, 'content-type') ?? '')
  if (!isText || /\bno-store\b/i.test(headerOf(response, 'cache-control') ?? '')) return 1
  try {
    const headers = [...response.headers].filter(([name]) => name !== 'set-cookie')
    return [response.status, headers, await response.clone().text()]
  } catch {
    // Whoever reads it is told of that.
    return 1
  }
}

export function responseOf([status, headers, text]: Exclude<Answer, 0 | 1>): Response {
  return new Response(text === '' ? null : text, {
    status,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  })
}
