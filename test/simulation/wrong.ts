import { RoundtableError } from '@roundtable/core'
import { StatusError } from './domain.js'

/** Something that must hold does not. */
export class Wrong extends Error {
  override readonly name = 'Wrong'
}

/** Says what is wrong unless something holds. */
export function must(holds: boolean, what: string | (() => string)): asserts holds {
  if (!holds) throw new Wrong(typeof what === 'string' ? what : what())
}

/** True for an error that a caller may get: the library's, the server's, the network's, or that of an abort. */
export function isKnown(error: unknown): boolean {
  if (error instanceof RoundtableError || error instanceof StatusError) return true
  if (error instanceof TypeError) return error.message === 'no network' || error.message === 'connection reset'
  return error instanceof DOMException && error.name === 'AbortError'
}
