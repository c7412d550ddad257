import { describe, expect, test } from 'vitest'
import { LAWS } from './alike.js'
import { REGRESSIONS } from './regressions.js'
import { type Failure, run, simulate } from './simulate.js'

const { SIMULATION_PROGRAMS, SIMULATION_SEED: SEED } = process.env
const PROGRAMS = Number(SIMULATION_PROGRAMS ?? 6_000)

describe('programs that once went wrong', () => {
  test.each(REGRESSIONS)('$what', async ({ program, law }) => {
    const broken = LAWS.filter(({ what }) => what === law)
    expect(broken).toHaveLength(law === undefined ? 0 : 1)
    await run(program)
    for (const { compare } of broken) await compare(program)
  })
})

describe('programs by chance', () => {
  test(
    'whatever order things happen in, the screen shows what it must',
    async () => {
      const failure = SEED === undefined ? await simulate(1, PROGRAMS) : await simulate(Number(SEED), 1)
      expect(failure && report(failure)).toBeUndefined()
    },
    60_000 + PROGRAMS * 200,
  )

  test.each(LAWS)(
    '$what',
    async ({ compare }) => {
      const failure =
        SEED === undefined ? await simulate(1, PROGRAMS / 25, compare) : await simulate(Number(SEED), 1, compare)
      expect(failure && report(failure)).toBeUndefined()
    },
    60_000 + PROGRAMS * 200,
  )
})

/** What went wrong, how to run it again, and the program to put among the regressions. */
function report({ seed, program, error }: Failure): string {
  return [
    error.name === 'Wrong' ? error.message : (error.stack ?? error.message),
    `Run it again: SIMULATION_SEED=${seed} npx vitest run --project unit test/simulation`,
    `${JSON.stringify({ ...program, commands: [] })} with`,
    ...program.commands.map((command) => `  ${JSON.stringify(command)},`),
  ].join('\n')
}
