import { NetworkError, TimeoutError, TransportError } from '@roundtable/core'

/** The kind of failure in a few words, as a heading above the reason. */
export function headlineOf(error: Error): string {
  if (error instanceof TransportError) return 'The server cannot be reached'
  if (error instanceof TimeoutError) return 'The server took too long'
  if (!(error instanceof NetworkError)) return 'Something went wrong'
  if (error.status === 404) return 'This is not there'
  return error.status >= 500 ? 'The server could not do it' : 'The server refused'
}

/** Describes an error in a sentence: the server's own words where it sent some. */
export async function reasonOf(error: Error): Promise<string> {
  if (error instanceof TransportError) return 'No answer came. Is the server running, and are you online?'
  if (!(error instanceof NetworkError)) return error.message
  const body = await error.body()
  return hasReason(body) ? body.error : `The answer was ${error.status} ${error.statusText}`.trim()
}

function hasReason(body: unknown): body is { error: string } {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'
}
