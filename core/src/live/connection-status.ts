import { TimeoutError } from '../util/errors.js'
import { LiveRefusedError } from './refused-error.js'

/** The connection status of a source: see `connection`. */
export interface ConnectionStatus {
  /**
   * `idle`: it has no readers, or the page is hidden; `connecting`; `open`; `waiting`: to reconnect, or for the first
   * byte of an open stream; `refused`: by the server, until the store is reset.
   */
  readonly status: 'idle' | 'connecting' | 'open' | 'waiting' | 'refused'
  /** The number of consecutive connections that failed or ended without a message. */
  readonly attempt: number
  /** The error of the last of them; undefined after a message has arrived. */
  readonly error: Error | undefined
}

export const IDLE: ConnectionStatus = { status: 'idle', attempt: 0, error: undefined }

/** The reason why a connection ended, in a word. */
export function whyOf(error: Error | undefined): string {
  if (error instanceof LiveRefusedError) return 'refused'
  return error instanceof TimeoutError ? 'silence' : 'cut'
}
