import { rowPlaces } from '../backend/row-place.js'
import { describe } from '../util/describe.js'
import { OptionError } from '../util/errors.js'
import { clientOf } from './client.js'
import { Report } from './finding.js'
import type { CheckedResource, CheckOptions, CheckResult } from './options.js'
import { type Checking, checkReads } from './reads.js'
import { checkWrites } from './writes.js'

/**
 * Checks whether a server keeps the rules that a resource's definitions rely on, and returns one result per rule.
 *
 * @remarks
 * Without `example`, it sends only GET requests. With it, it creates, changes and deletes rows; it deletes all rows
 * that it created, even after a failure.
 *
 * @example
 * ```ts
 * const results = await checkServer(TodoResource, {
 *   example: { title: 'A test' },
 *   change: { title: 'Another' },
 *   filters: ['userId'],
 * })
 * for (const { rule, verdict, detail } of results) console.log(rule, verdict, detail)
 * ```
 * @throws OptionError for a resource that has neither a list nor a row.
 */
export async function checkServer(
  resource: CheckedResource,
  options: CheckOptions = {},
): Promise<readonly CheckResult[]> {
  // Types exclude a missing resource, JavaScript does not.
  const { getList, get }: CheckedResource = Object(resource)
  const [place] = rowPlaces((getList ?? get)?.schema)
  if (!place) {
    const reason = `has neither getList nor get with rows in its schema, found ${describe(resource)}. Pass what resource() returns.`
    throw new OptionError('resource', reason)
  }
  const report = new Report()
  const checking: Checking = { resource, options, place, send: clientOf(options), report }
  const list = await checkReads(checking)
  if (!list) return report.results('The list cannot be read.')
  if (options.readOnly || !options.example) {
    return report.results(
      options.readOnly ? 'Only reads are checked.' : 'There is nothing to check, or no example is given.',
    )
  }
  await checkWrites(checking, list)
  return report.results('There is nothing to check.')
}
