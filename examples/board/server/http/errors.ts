import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { isUnreachable, referenceIssue } from '../db/errors.js'

/** A problem with the input, and its place: the name of a field or parameter, or '' for the whole. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** A failure that the client is told about as `{ error, issues? }`. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  readonly status: ContentfulStatusCode
  readonly issues: readonly Issue[] | undefined

  constructor(status: ContentfulStatusCode, message: string, issues?: readonly Issue[]) {
    super(message)
    this.status = status
    this.issues = issues
  }
}

/** The input is not in order: status 400. */
export class BadInput extends ApiError {
  override readonly name = 'BadInput'

  constructor(issues: readonly Issue[]) {
    super(400, `The input is not valid: ${issues.map(sentence).join('; ')}.`, issues)
  }
}

/** There is no such row: status 404. */
export class NotFound extends ApiError {
  override readonly name = 'NotFound'

  constructor(kind: string, id: number | string) {
    super(404, `There is no ${kind} ${id}.`)
  }
}

/** Turns a thrown value into a JSON response; unexpected ones are logged. */
export function answerError(error: Error, c: Context): Response {
  const known = asApiError(error)
  if (known === undefined) {
    console.error(`${c.req.method} ${c.req.path} failed:`, error)
    return c.json({ error: 'The server failed; its log has the reason.' }, 500)
  }
  const { message, status, issues } = known
  return c.json(issues === undefined ? { error: message } : { error: message, issues }, status)
}

function asApiError(error: Error): ApiError | undefined {
  if (error instanceof ApiError) return error
  // Hono's own refusals carry a client or server error status, each of which has a body.
  if (error instanceof HTTPException) return new ApiError(error.status as ContentfulStatusCode, error.message)
  const issue = referenceIssue(error)
  if (issue !== undefined) return new BadInput([issue])
  if (isUnreachable(error)) return new ApiError(503, 'The database cannot be reached at the moment.')
  return undefined
}

function sentence({ path, message }: Issue): string {
  return path === '' ? `it ${message}` : `${path} ${message}`
}
