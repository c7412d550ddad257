import type { Operation, Response, Schema } from './ir.js'

/** The successful response of an operation. */
export interface Answer {
  /** The key in the type of all responses: `200`, `'2XX'` or `default`. */
  readonly status: string
  readonly schema: Schema
  readonly content: 'json' | 'text' | 'blob' | 'stream' | 'none'
}

/**
 * Returns the most informative successful response of an operation: JSON before anything else, and a low status before a
 * high one.
 *
 * @example answerOf(listPets)?.status // '200'
 */
export function answerOf({ responses = {} }: Operation): Answer | undefined {
  const all = Object.entries(responses).flatMap(([status, response]) =>
    response && /^2(?:\d\d|XX)$/i.test(status) ? [answer(status, response)] : [],
  )
  const [first] = all
  return all.find(({ content }) => content === 'json') ?? all.find(({ content }) => content !== 'none') ?? first
}

function answer(status: string, { mediaType, schema }: Response): Answer {
  return { status, schema, content: contentOf(mediaType, schema) }
}

function contentOf(mediaType: string | undefined, { type, format }: Schema): Answer['content'] {
  if (mediaType === undefined) return type === undefined || type === 'void' || type === 'never' ? 'none' : 'json'
  if (/[/+]json\b|^\*\/\*/i.test(mediaType) && format !== 'binary') return 'json'
  if (/^text\/event-stream/i.test(mediaType)) return 'stream'
  return /^text\/|[/+](?:xml|yaml|csv)\b/i.test(mediaType) && format !== 'binary' ? 'text' : 'blob'
}
