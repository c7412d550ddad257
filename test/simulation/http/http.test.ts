import { describe, expect, test } from 'vitest'
import { LIMIT, PROGRAMS } from '../chance.js'
import { simulateHttp } from './http-simulate.js'

describe('programs over HTTP by chance', () => {
  test(
    'retries, offline phases, pages, batches, conflicts, scopes, new rows and logouts: all settles, nothing is lost or sent twice, the screen is the server',
    // A part: what they share with the others is tried there.
    async () => expect(await simulateHttp(1, Math.ceil(PROGRAMS / 10))).toBeUndefined(),
    LIMIT,
  )
})
