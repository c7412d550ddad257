import { NetworkError, TransportError } from '@roundtable/core'

const texts: Readonly<Record<number, string>> = {
  401: 'Please sign in.',
  403: 'You are not allowed to do this.',
  404: 'This no longer exists.',
  409: 'Someone else has changed this.',
  503: 'The server is busy.',
}

/** The text for users; the error's `message` is for developers. */
export function errorText(error: Error): string {
  if (error instanceof TransportError) return 'There is no connection.'
  const text = error instanceof NetworkError && texts[error.status]
  return text || 'Something went wrong.'
}
