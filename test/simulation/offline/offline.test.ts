import { describe, expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { LIMIT } from '../chance.js'
import { OFFLINE_REGRESSIONS } from './offline-regressions.js'
import { runOffline, simulateOffline } from './offline-simulate.js'

test.each(OFFLINE_REGRESSIONS)('$what', async ({ program }) => runOffline(program))

describe('programs with an outbox by chance', () => {
  test(
    'pages end anywhere, disks fail, servers refuse: nothing that was stored is lost or done twice, the screen is the server with what waits',
    async () => expect(await simulateOffline(1, cases(600), 1)).toBeUndefined(),
    LIMIT,
  )
})
