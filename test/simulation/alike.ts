import type { Command, Program } from './program.js'
import { screensOf, tableAfter } from './simulate.js'
import { must } from './wrong.js'

/** Two ways to run a program that must come to the same. */
export interface Alike {
  readonly what: string
  /** Runs it both ways and throws if the screens differ. */
  compare(program: Program): Promise<void>
}

/** Laws that relate two runs, where no model is needed to say what is right. */
export const LAWS: readonly Alike[] = [
  {
    what: 'another time of day, the same screens',
    compare: async (program) => compareScreens(await screensOf(program), await screensOf(program, 1_893_456_000_000)),
  },
  {
    what: 'an answer that comes twice is one answer',
    compare: async (program) => {
      const once = withCommands(program, (command) => (isTwice(command) ? { ...command, fault: 'none' } : command))
      compareScreens(await screensOf(program), await screensOf(once))
    },
  },
  {
    what: 'with optimistic answers or without, the same end',
    compare: async (program) => {
      const plain = withCommands(onlyAnswered(program), (command) =>
        command.do === 'edit' ? { ...command, isOptimistic: false } : command,
      )
      const bold = withCommands(plain, (command) =>
        command.do === 'edit' ? { ...command, isOptimistic: true } : command,
      )
      compareScreens(await tableAfter(plain), await tableAfter(bold))
    },
  },
]

function isTwice(command: Command): command is Extract<Command, { do: 'deliver' }> {
  return command.do === 'deliver' && command.fault === 'twice'
}

function withCommands(program: Program, change: (command: Command) => Command): Program {
  return { ...program, commands: program.commands.map(change) }
}

/**
 * A program in which optimistic answers decide neither what is sent nor what is learnt: nobody is mounted, and edits are
 * answered with data.
 */
function onlyAnswered(program: Program): Program {
  const commands: Command[] = []
  for (const command of program.commands) {
    if (command.do === 'edit') commands.push({ ...command, edit: { ...command.edit, answer: 'full' } })
    else if (command.do === 'deliver') commands.push({ ...command, fault: 'none' })
    else if (['fetch', 'apply', 'elsewhere', 'set', 'look', 'advance'].includes(command.do)) commands.push(command)
  }
  const traits = {
    ...program.traits,
    retention: false,
    timeout: undefined,
    dataExpiryLength: Number.POSITIVE_INFINITY,
  } as const
  return { ...program, traits, commands }
}

function compareScreens(first: readonly string[], second: readonly string[]): void {
  first.forEach((screen, at) => {
    must(screen === second[at], () => `step ${at} shows ${screen} one way, and ${second[at]} the other`)
  })
}
