import { expect } from 'vitest'
import { type Check, type Failure, simulate } from './simulate.js'

const { SIMULATION_PROGRAMS, SIMULATION_START, SIMULATION_SEED: SEED } = process.env

/** So many programs are run, and of each law a part of them. */
export const PROGRAMS: number = Number(SIMULATION_PROGRAMS ?? 10_000)

/** Programs of other seeds than usual: so many are passed over. */
export const START: number = Number(SIMULATION_START ?? 0)

/** In ms: it is there against hanging alone. */
export const LIMIT: number = 60_000 + PROGRAMS * 200

/** Runs the programs of these seeds, or of the one that is asked for, and fails with the first that goes wrong. */
export async function tryAll(first: number, count: number, check?: Check): Promise<void> {
  const failure =
    SEED === undefined ? await simulate(START + first, Math.ceil(count), check) : await simulate(Number(SEED), 1, check)
  expect(failure && report(failure)).toBeUndefined()
}

/** What went wrong, how to run it again, and the program to put among the regressions. */
function report({ seed, program, error }: Failure): string {
  return [
    error.name === 'Wrong' ? error.message : (error.stack ?? error.message),
    `Run it again: SIMULATION_SEED=${seed} npx vitest run --project unit test/simulation`,
    `${JSON.stringify({ ...program, commands: [] })} with`,
    ...program.commands.map((command) => `  ${JSON.stringify(command)},`),
  ].join('\n')
}
