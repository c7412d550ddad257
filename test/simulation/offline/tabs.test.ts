import { expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { LIMIT } from '../chance.js'
import { simulateOffline } from './offline-simulate.js'

// A file of its own, so that two processors run it and the programs of one page at once.
test(
  'several pages share a log, with locks and without, sleep and end anywhere: what was stored is done once, and each page shows the server with what waits',
  async () => expect(await simulateOffline(1, cases(800), 3)).toBeUndefined(),
  LIMIT,
)
