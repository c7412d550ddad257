import { type Broken, shrink } from '../shrink.js'
import { quickly } from '../simulate.js'
import { liveDrain } from './live-drain.js'
import { type LiveCommand, type LiveProgram, liveProgramOf } from './live-program.js'
import { LiveWorld } from './live-world.js'

/** Runs a program to its end and checks all that must hold; throws what is wrong. */
export async function runLive(program: LiveProgram): Promise<void> {
  const world = new LiveWorld(program)
  for (const command of program.commands) await world.run(command)
  await liveDrain(world)
}

/** Runs the programs of these seeds; tells of the first that goes wrong, as short as it could be made. */
export async function simulateLive(first: number, count: number): Promise<string | undefined> {
  for (let seed = first; seed < first + count; seed++) {
    const program = liveProgramOf(seed)
    const error = await quickly(() => errorOf(program))
    if (error !== undefined) return report(seed, await shrink({ program, error }, errorOf, simplerThan))
  }
  return undefined
}

async function errorOf(program: LiveProgram): Promise<Error | undefined> {
  try {
    await runLive(program)
    return undefined
  } catch (error) {
    return error as Error
  }
}

function simplerThan(command: LiveCommand): LiveCommand[] {
  if (command.do === 'deliver' && command.fault !== 'none') return [{ ...command, fault: 'none' }]
  return 'pick' in command && command.pick > 0 ? [{ ...command, pick: 0 }] : []
}

function report(seed: number, { program, error }: Broken<LiveProgram>): string {
  return [
    error.name === 'Wrong' ? error.message : (error.stack ?? error.message),
    `Run it again: npm run simulate -- --only live --seed ${seed}`,
    `${JSON.stringify(program.traits)} with`,
    ...program.commands.map((command) => `  ${JSON.stringify(command)},`),
  ].join('\n')
}
