import { type Broken, shrink } from '../shrink.js'
import { quickly } from '../simulate.js'
import { offlineDrain } from './offline-drain.js'
import { type OfflineCommand, type OfflineProgram, offlineProgramOf } from './offline-program.js'
import { OfflineWorld } from './offline-world.js'

/** Runs a program to its end and checks all that must hold; throws what is wrong. */
export async function runOffline(program: OfflineProgram): Promise<void> {
  const world = new OfflineWorld(program)
  const { warn } = console
  console.warn = (message) => world.warnings.push(message)
  try {
    for (const command of program.commands) await world.run(command)
    await offlineDrain(world)
  } finally {
    console.warn = warn
  }
}

/**
 * Runs the programs of these seeds, with so many pages at most; tells of the first that goes wrong, as short as it
 * could be made.
 */
export async function simulateOffline(first: number, count: number, mostTabs: number): Promise<string | undefined> {
  for (let seed = first; seed < first + count; seed++) {
    const program = offlineProgramOf(seed, mostTabs)
    const error = await quickly(() => errorOf(program))
    if (error !== undefined) return report(seed, mostTabs, await shrink({ program, error }, errorOf, simplerThan))
  }
  return undefined
}

async function errorOf(program: OfflineProgram): Promise<Error | undefined> {
  try {
    await runOffline(program)
    return undefined
  } catch (error) {
    return error as Error
  }
}

function simplerThan(command: OfflineCommand): OfflineCommand[] {
  const simpler: OfflineCommand[] = []
  if (command.do === 'deliver' && command.fault !== 'none') simpler.push({ ...command, fault: 'none' })
  if ('pick' in command && command.pick > 0) simpler.push({ ...command, pick: 0 })
  if (command.tab > 0) simpler.push({ ...command, tab: 0 })
  return simpler
}

function report(seed: number, mostTabs: number, { program, error }: Broken<OfflineProgram>): string {
  return [
    error.name === 'Wrong' ? error.message : (error.stack ?? error.message),
    `Run it again: npm run simulate -- --only ${mostTabs > 1 ? 'tabs' : 'offline'} --seed ${seed}`,
    `${JSON.stringify(program.traits)} with`,
    ...program.commands.map((command) => `  ${JSON.stringify(command)},`),
  ].join('\n')
}
