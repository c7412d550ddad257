import { describe, expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { LIMIT } from '../chance.js'
import { LIVE_REGRESSIONS } from './live-regressions.js'
import { runLive, simulateLive } from './live-simulate.js'

test.each(LIVE_REGRESSIONS)('$what', async ({ program }) => runLive(program))

describe('programs with live sources by chance', () => {
  test(
    'streams are cut, held back and refused anywhere, others write meanwhile: in the end every screen is the server, and until then nothing that was told is hidden',
    async () => expect(await simulateLive(1, cases(3_000))).toBeUndefined(),
    LIMIT,
  )
})
