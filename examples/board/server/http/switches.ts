import { setTimeout as sleep } from 'node:timers/promises'
import type { MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { digits, optional } from '../input/field.js'
import { readWhole } from '../input/read.js'
import { ApiError } from './errors.js'

const LONGEST_DELAY = 10_000

const switches = { delay: optional(digits(0, LONGEST_DELAY)), fail: optional(digits(400, 599)) }

/**
 * Makes the server slow or broken on request: `?delay=` waits that many milliseconds (at most ten seconds),
 * `?fail=` answers with that status (400 to 599) before anything is applied.
 */
export const obeySwitches: MiddlewareHandler = async (c, next) => {
  const { delay, fail } = readWhole(switches, given(c.req.query('delay'), c.req.query('fail')))
  if (delay !== undefined) await sleep(delay, undefined, { signal: c.req.raw.signal }).catch(refuseToGoOn)
  if (fail !== undefined) throw new ApiError(asStatus(fail), `Failed with ${fail}, as ?fail=${fail} asked for.`)
  await next()
}

/** The query string of a request without the switches. */
export function queryOf(url: string): URLSearchParams {
  const query = new URL(url).searchParams
  for (const name of Object.keys(switches)) query.delete(name)
  return query
}

function given(delay: string | undefined, fail: string | undefined): Record<string, unknown> {
  return { ...(delay !== undefined && { delay }), ...(fail !== undefined && { fail }) }
}

// The client has gone while we waited: nobody would learn of the change, so it is not made.
function refuseToGoOn(): never {
  throw new ApiError(408, 'The client left before the delay was over; nothing was applied.')
}

// Every status from 400 to 599 may have a body, which is what the narrower type says.
function asStatus(status: number): ContentfulStatusCode {
  return status as ContentfulStatusCode
}
