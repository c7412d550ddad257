import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { ApiError, BadInput } from './errors.js'

const LARGEST_BODY = 64 * 1024

/** Refuses a body of more than 64 KiB with status 413. */
export const limitBody: MiddlewareHandler = bodyLimit({
  maxSize: LARGEST_BODY,
  onError: () => {
    throw new ApiError(413, `The body is larger than ${LARGEST_BODY / 1024} KiB.`)
  },
})

/**
 * Reads the body as a JSON object.
 *
 * @throws ApiError 415 when the content type is not JSON: a form of another site cannot send that type by itself.
 * @throws BadInput when the text is not a JSON object.
 */
export async function readBody(c: Context): Promise<Record<string, unknown>> {
  if (!/^application\/([\w.-]+\+)?json\b/i.test(c.req.header('content-type') ?? '')) {
    throw new ApiError(415, 'Send the body as JSON, with the content type application/json.')
  }
  const body = parse(await c.req.text())
  if (!isRecord(body)) throw new BadInput([{ path: '', message: 'must be a JSON object' }])
  return body
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new BadInput([{ path: '', message: `is not JSON: ${error instanceof Error ? error.message : error}` }])
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
