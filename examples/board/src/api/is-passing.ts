import type { RequestError } from '@roundtable/core'

/**
 * The error policy of what the page reads: while the server is away or in trouble, what was there stays on screen. A
 * refusal (400 to 499) is an answer, and surfaces.
 */
export function isPassing({ status }: RequestError): 'soft' | undefined {
  return status < 500 ? undefined : 'soft'
}
