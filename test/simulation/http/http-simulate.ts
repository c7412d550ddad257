import { quickly } from '../simulate.js'
import { httpDrain } from './http-drain.js'
import { type HttpProgram, httpProgramOf } from './http-program.js'
import { HttpWorld } from './http-world.js'

/** Runs a program to its end and checks all that must hold; throws what is wrong. */
export async function runHttp(program: HttpProgram): Promise<void> {
  const world = new HttpWorld(program)
  for (const command of program.commands) await world.run(command)
  await httpDrain(world)
}

/** Runs the programs of these seeds; tells of the first that goes wrong, as short as it could be made. */
export async function simulateHttp(first: number, count: number): Promise<string | undefined> {
  for (let seed = first; seed < first + count; seed++) {
    const program = httpProgramOf(seed)
    const error = await quickly(() => errorOf(program))
    if (error !== undefined) return report(seed, await shrunk(program, error))
  }
  return undefined
}

interface Broken {
  readonly program: HttpProgram
  readonly error: Error
}

async function errorOf(program: HttpProgram): Promise<Error | undefined> {
  try {
    await runHttp(program)
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** Leaves out commands as long as something stays wrong. */
async function shrunk(program: HttpProgram, error: Error): Promise<Broken> {
  let shortest: Broken = { program, error }
  for (let size = program.commands.length; size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < shortest.program.commands.length; ) {
      const commands = shortest.program.commands.filter((_, i) => i < at || i >= at + size)
      const next = { ...shortest.program, commands }
      const still = await errorOf(next)
      if (still === undefined) at += size
      else shortest = { program: next, error: still }
    }
  }
  return shortest
}

function report(seed: number, { program, error }: Broken): string {
  return [
    error.name === 'Wrong' ? error.message : (error.stack ?? error.message),
    `seed ${seed}: ${JSON.stringify(program.traits)}`,
    ...program.commands.map((command) => `  ${JSON.stringify(command)},`),
  ].join('\n')
}
