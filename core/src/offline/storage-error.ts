import { errorPage } from '../util/error-page.js'
import { RoundtableError } from '../util/errors.js'

/**
 * Data could not be stored on this device, or not be read from it; `reason` continues the sentence "What is stored
 * here …". The application continues without it.
 *
 * @example
 * ```ts
 * const controller = new Controller({
 *   managers: [offline({ log: memoryLog() })],
 *   onError: (error) => error instanceof StorageError && console.warn(error.reason),
 * })
 * ```
 */
export class StorageError extends RoundtableError {
  override readonly name: string = 'StorageError'
  override readonly code: string = 'STORAGE'
  declare readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    const page = process.env.NODE_ENV === 'production' ? '' : errorPage('STORAGE')
    super(`What is stored on this device ${reason}.${page}`, options)
    this.reason = reason
  }
}
