import { drain, rest } from './drain.js'
import { type Command, type Program, programOf } from './program.js'
import { text } from './same.js'
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
  // Each third, since it takes as long as some steps.
  if (world.program.commands.length % 3 === 0) world.browsers.visit(world)
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
    if (error !== undefined) return { seed, ...(await shrink(program, error, check)) }
  }
  return undefined
}

/** Without stacks of errors: most are part of the program, and their stacks a part of its time. */
export async function quickly<Result>(work: () => Promise<Result>): Promise<Result> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return await work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
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

/** Leaves out commands, first many, then single ones, as long as something stays wrong. */
async function shrink(program: Program, error: Error, check: Check): Promise<Omit<Failure, 'seed'>> {
  let shortest = { program, error }
  for (let size = program.commands.length; size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < shortest.program.commands.length; ) {
      const commands = shortest.program.commands.filter((_, i) => i < at || i >= at + size)
      const next = await attempt({ ...shortest.program, commands }, check)
      if (next === undefined) at += size
      else shortest = next
    }
  }
  const plain: Command[] = [...shortest.program.commands]
  for (let at = 0; at < plain.length; at++) {
    for (const simpler of simplerThan(plain[at] as Command)) {
      const commands = shortest.program.commands.with(at, simpler)
      shortest = (await attempt({ ...shortest.program, commands }, check)) ?? shortest
    }
  }
  return shortest
}

async function attempt(program: Program, check: Check): Promise<Omit<Failure, 'seed'> | undefined> {
  const error = await errorOf(program, check)
  return error === undefined ? undefined : { program, error }
}

function simplerThan(command: Command): Command[] {
  if (command.do === 'deliver' && command.fault !== 'none') return [{ ...command, fault: 'none' }]
  if (command.do === 'batch')
    return command.commands.map((_, i) => ({ ...command, commands: command.commands.filter((__, j) => j !== i) }))
  return 'pick' in command && command.pick > 0 ? [{ ...command, pick: 0 }] : []
}
