import { describe, expect, test } from 'vitest'
import { LIMIT, PROGRAMS, START } from '../chance.js'
import { simulateHttp } from './http-simulate.js'

const { SIMULATION_SEED: SEED } = process.env

describe('programs over HTTP by chance', () => {
  test(
    'retries, offline phases, pages, batches and conflicts: every promise settles, nothing is lost or sent twice, the screen is the server',
    async () => {
      // A part: what they share with the others is tried there.
      const wrong =
        SEED === undefined
          ? await simulateHttp(START + 1, Math.ceil(PROGRAMS / 50))
          : await simulateHttp(Number(SEED), 1)
      expect(wrong).toBeUndefined()
    },
    LIMIT,
  )
})
