import { GROUPS, IDS, LEAGUES } from './domain.js'
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
    what: 'watched or not, the same screens',
    compare: async (program) => {
      const plain = inOneOrder(program, { retention: false, ticks: 0 })
      compareScreens(await screensOf(plain), (await screensOf(watched(plain))).slice(1))
    },
  },
  {
    what: 'what is watched is shown the same, whether all else is collected at once or never',
    compare: async (program) => {
      const kept = watched(inOneOrder(program, { retention: false, ticks: 201 }), hasFaults(program) ? PAGES : [])
      const bare = { ...kept, traits: { ...kept.traits, retention: 200 } }
      compareScreens(await screensOf(kept), await screensOf(bare))
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

/** Everything that can be read, in all ways of watching that ask for nothing. */
const WATCHES: readonly Command[] = [
  ...[...IDS, 'new 1', 'new 2', 'new 3', 'new 4'].map((id) => ({ read: 'item', id }) as const),
  ...[undefined, ...GROUPS].flatMap((group) =>
    (['list', 'map', 'feed'] as const).map((read) => ({ read, ...(group === undefined ? undefined : { group }) })),
  ),
  ...GROUPS.flatMap((group) => [{ read: 'box', group } as const, { read: 'page', group } as const]),
  ...LEAGUES.flatMap((league) => GROUPS.map((group) => ({ read: 'board', group, league }) as const)),
  ...LEAGUES.map((league) => ({ read: 'scores', league }) as const),
  { read: 'stats' } as const,
]
  .flatMap((target): Command[] => (['peek', 'select', 'watch fetching'] as const).map((how) => ({ do: how, target })))
  .concat([
    { do: 'watch all', as: 'All' },
    { do: 'watch all', as: 'Query' },
    { do: 'watch all', as: 'All notes' },
  ])

/** Single pages: what failed of them is forgotten with them if nobody watches. */
const PAGES: readonly Command[] = GROUPS.flatMap((group) =>
  [1, 2].map((page) => ({ do: 'peek', target: { read: 'page', group, page } }) as const),
)

/** A program in which who watches has no say in the order of requests: nothing makes several keys be asked for at once. */
function inOneOrder(program: Program, traits: Partial<Program['traits']>): Program {
  const isMany = ({ do: how }: Command): boolean => MANY.includes(how)
  const commands = program.commands.filter((command) => !isWatching(command) && !isMany(command))
  return { ...program, commands, traits: { ...program.traits, logsOut: false, revalidates: false, ...traits } }
}

const MANY: readonly Command['do'][] = [
  'reset',
  'batch',
  'invalidate all',
  'expire all',
  'invalidate by',
  'expire by',
  'come back',
  'show',
]

/** The program with everything watched from its first step. */
function watched(program: Program, more: readonly Command[] = []): Program {
  return { ...program, commands: [{ do: 'batch', commands: [...WATCHES, ...more] }, ...program.commands] }
}

function hasFaults(program: Program): boolean {
  return program.commands.some((command) => command.do === 'deliver' && command.fault !== 'none')
}

function isWatching({ do: how }: Command): boolean {
  return how === 'stop watching' || how === 'watch store' || WATCHES.some((command) => command.do === how)
}

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
