import type { RequestError } from '@roundtable/core'

/**
 * The error policy of what the page reads: while the server is unreachable or failing, data stays on the screen. A
 * refusal (400 to 499) is shown.
 */
export function isPassing({ status }: RequestError): 'soft' | undefined {
  return status < 500 ? undefined : 'soft'
}
