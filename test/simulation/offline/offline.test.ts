import { describe, expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { LIMIT } from '../chance.js'
import { simulateOffline } from './offline-simulate.js'

describe('programs with an outbox by chance', () => {
  test(
    'pages end anywhere, disks fail, servers refuse: nothing that was stored is lost or done twice, the screen is the server with what waits',
    async () => expect(await simulateOffline(1, cases(3_000))).toBeUndefined(),
    LIMIT,
  )
})
