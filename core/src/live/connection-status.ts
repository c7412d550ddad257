import { TimeoutError } from '../util/errors.js'
import { LiveRefusedError } from './refused-error.js'

/** How a source is connected: see `connection`. */
export interface ConnectionStatus {
  /**
   * `idle`: nobody reads it, or the page is hidden; `connecting`; `open`; `waiting`: until it connects again, or for a first byte of an
   * open stream; `refused`: by the server, until the store is reset.
   */
  readonly status: 'idle' | 'connecting' | 'open' | 'waiting' | 'refused'
  /** How many connections in a row have failed or ended without a message. */
  readonly attempt: number
  /** Why the last one did; undefined since a message has come. */
  readonly error: Error | undefined
}

export const IDLE: ConnectionStatus = { status: 'idle', attempt: 0, error: undefined }

/** Why a connection has ended, in a word. */
export function whyOf(error: Error | undefined): string {
  if (error instanceof LiveRefusedError) return 'refused'
  return error instanceof TimeoutError ? 'silence' : 'cut'
}
