import { drain, rest } from './drain.js'
import { type Command, type Program, programOf } from './program.js'
import { text } from './same.js'
import { shrink } from './shrink.js'
import { World } from './world.js'

/** A program that went wrong, as short as it could be made. */
export interface Failure {
  readonly seed: number
  readonly program: Program
  readonly error: Error
}

/** Runs a program and throws what is wrong. */
export type Check = (program: Program) => Promise<unknown>

/** Runs a program to its end and checks all that must hold; throws what is wrong. */
export async function run(program: Program): Promise<void> {
  await runIn(new World(program), () => {})
}

/** As `run`, and returns what was on the screens after each step. */
export async function screensOf(program: Program, wallClock?: number): Promise<readonly string[]> {
  const screens: string[] = []
  await runIn(new World(program, wallClock), (shown) => screens.push(text(shown)))
  return screens
}

async function runIn(world: World, onStep: (shown: readonly unknown[]) => void): Promise<void> {
  for (const command of world.program.commands) {
    await world.run(command)
    world.check()
    onStep(world.screens)
    if (world.isDisposed) break
  }
  await drain(world, onStep)
}

/** Runs a program until all is answered, and returns what the table holds then. */
export async function tableAfter(program: Program): Promise<readonly string[]> {
  const world = new World(program)
  for (const command of program.commands) await world.run(command)
  await rest(world)
  return world.table()
}

/** Runs the programs of these seeds until one goes wrong, and makes that short. */
export async function simulate(first: number, count: number, check: Check = run): Promise<Failure | undefined> {
  for (let seed = first; seed < first + count; seed++) {
    const program = programOf(seed)
    const error = await quickly(() => errorOf(program, check))
    if (error === undefined) continue
    return { seed, ...(await shrink({ program, error }, (shorter) => errorOf(shorter, check), simplerThan)) }
  }
  return undefined
}

/**
 * Without stacks of errors: most are part of the program, and their stacks a part of its time. Without the warning that
 * an answer brings less of a row than others do: most answers do.
 */
export async function quickly<Result>(work: () => Promise<Result>): Promise<Result> {
  const { stackTraceLimit } = Error
  const { warn } = console
  Error.stackTraceLimit = 0
  console.warn = (message: string) => message.includes('sends no request for a') || warn(message)
  try {
    return await work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    console.warn = warn
  }
}

async function errorOf(program: Program, check: Check): Promise<Error | undefined> {
  try {
    await check(program)
    return undefined
  } catch (error) {
    return error as Error
  }
}

function simplerThan(command: Command): Command[] {
  if (command.do === 'deliver' && command.fault !== 'none') return [{ ...command, fault: 'none' }]
  if (command.do === 'batch')
    return command.commands.map((_, i) => ({ ...command, commands: command.commands.filter((__, j) => j !== i) }))
  return 'pick' in command && command.pick > 0 ? [{ ...command, pick: 0 }] : []
}
