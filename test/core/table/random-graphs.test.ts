import { test } from 'vitest'
import { cases } from '../../cases.js'
import { runGraph } from './graph-run.js'

const graphs = cases(20_000)

test(`${graphs} random graphs equal a naive build, and exactly the dependents of a change are replaced`, () => {
  for (let seed = 1; seed <= graphs; seed++) {
    try {
      runGraph(seed)
    } catch (cause) {
      const again = `npm run simulate -- --only graphs --seed ${seed}`
      throw new Error(`${(cause as Error).message}\nRun it again: ${again}`, { cause })
    }
  }
}, 600_000)
