import { type Broken, shrink } from '../shrink.js'
import { quickly } from '../simulate.js'
import { httpDrain } from './http-drain.js'
import { type HttpProgram, httpProgramOf } from './http-program.js'
import { HttpWorld } from './http-world.js'

/** Runs a program to its end and checks all that must hold; throws what is wrong. */
export async function runHttp(program: HttpProgram): Promise<void> {
  const world = new HttpWorld(program)
  const { warn } = console
  // The world checks what is told to developers.
  console.warn = (message) => world.warnings.push(message)
  try {
    for (const command of program.commands) await world.run(command)
    await httpDrain(world)
  } finally {
    console.warn = warn
  }
}

/** Runs the programs of these seeds; tells of the first that goes wrong, as short as it could be made. */
export async function simulateHttp(first: number, count: number): Promise<string | undefined> {
  for (let seed = first; seed < first + count; seed++) {
    const program = httpProgramOf(seed)
    const error = await quickly(() => errorOf(program))
    if (error !== undefined) return report(seed, await shrink({ program, error }, errorOf))
  }
  return undefined
}

async function errorOf(program: HttpProgram): Promise<Error | undefined> {
  try {
    await runHttp(program)
    return undefined
  } catch (error) {
    return error as Error
  }
}

function report(seed: number, { program, error }: Broken<HttpProgram>): string {
  return [
    error.name === 'Wrong' ? error.message : (error.stack ?? error.message),
    `Run it again: npm run simulate -- --only http --seed ${seed}`,
    `${JSON.stringify(program.traits)} with`,
    ...program.commands.map((command) => `  ${JSON.stringify(command)},`),
  ].join('\n')
}
