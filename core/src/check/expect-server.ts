import { errorPage } from '../util/error-page.js'
import { RoundtableError } from '../util/errors.js'
import { checkServer } from './check-server.js'
import type { CheckedResource, CheckOptions, CheckResult } from './options.js'

/**
 * A server breaks rules that the definitions rely on; `results` contains all results.
 *
 * @example new ServerCheckError([{ rule: 'item-404', verdict: 'fails', detail: 'GET https://api.test/todos/0 responded with 200.' }])
 */
export class ServerCheckError extends RoundtableError {
  override readonly name: string = 'ServerCheckError'
  override readonly code: string = 'SERVER_CHECK'
  declare readonly results: readonly CheckResult[]

  constructor(results: readonly CheckResult[], options?: ErrorOptions) {
    const failed = results.filter(({ verdict }) => verdict === 'fails')
    const lines = failed.map(({ rule, detail }) => `\n  ${rule}: ${detail}`).join('')
    const page = process.env.NODE_ENV === 'production' ? '' : `\n${errorPage('SERVER_CHECK').trim()}`
    super(
      `The server does not keep ${failed.length} ${failed.length === 1 ? 'rule' : 'rules'}:${lines}${page}`,
      options,
    )
    this.results = results
  }
}

/**
 * Checks a server in a test, and fails with all broken rules. Warnings are returned.
 *
 * @example
 * ```ts
 * import { test } from 'vitest'
 *
 * test('the server keeps what the lists rely on', () => expectServer(TodoResource, { filters: ['userId'] }))
 * ```
 * @throws ServerCheckError if a rule fails.
 */
export async function expectServer(
  resource: CheckedResource,
  options: CheckOptions = {},
): Promise<readonly CheckResult[]> {
  const results = await checkServer(resource, options)
  if (results.some(({ verdict }) => verdict === 'fails')) throw new ServerCheckError(results)
  return results
}
