import { expect } from 'vitest'
import { cases } from '../cases.js'
import { report } from './report.js'
import { type Check, simulate } from './simulate.js'

/** So many programs are run, and of each law a part of them. */
export const PROGRAMS: number = cases(9_000)

/** In ms: it is there against hanging alone. */
export const LIMIT: number = 60_000 + PROGRAMS * 200

/** Runs the programs of these seeds, and fails with the first that goes wrong. */
export async function tryAll(first: number, count: number, check?: Check, law?: string): Promise<void> {
  const failure = await simulate(first, Math.ceil(count), check)
  expect(failure && report(failure, law)).toBeUndefined()
}
