import { Random } from '../random.js'
import type { Telling } from './event-server.js'

/** What goes wrong with a request or its response. */
export type LiveFault = 'none' | 'lost' | 'lost answer' | 503

/** How a connection ends. */
export type LiveEnd = 'closed' | 'failed' | 'busy' | 'refused'

export type LiveField = 'title' | 'note'

/** One step of a program. `pick` chooses among what is there, so that any part of a program is a program. */
export type LiveCommand =
  | { readonly do: 'watch list' | 'fetch list' | 'create' | 'create elsewhere'; readonly group: string }
  | { readonly do: 'watch item' | 'delete' | 'delete elsewhere'; readonly id: number }
  | { readonly do: 'patch' | 'edit elsewhere'; readonly id: number; readonly field: LiveField }
  | { readonly do: 'move elsewhere' | 'restore elsewhere'; readonly id: number; readonly group: string }
  | { readonly do: 'unwatch' | 'apply'; readonly pick: number }
  | { readonly do: 'deliver'; readonly pick: number; readonly fault: LiveFault }
  /** The server accepts a connection; a proxy may hold back what it sends first. */
  | { readonly do: 'accept'; readonly isHeldBack: boolean }
  | { readonly do: 'message'; readonly most: number }
  /** What was told last of a row is told again. */
  | { readonly do: 'repeat' }
  | { readonly do: 'bad message'; readonly pick: number }
  | { readonly do: 'cut'; readonly how: LiveEnd }
  /** Time passes until the client connects again, and the server accepts it. */
  | { readonly do: 'reconnect' }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'go offline' | 'come back' | 'hide' | 'show' | 'log out' }

/** What one run does, whole. */
export interface LiveProgram {
  readonly traits: Telling & {
    readonly resume: 'id' | undefined
    readonly maxBuffer: number
    readonly fallbackPoll: number | undefined
    readonly dataExpiryLength: number
    /** Rows never go back to an older version. */
    readonly isVersioned: boolean
    /** Lists know who belongs to them. */
    readonly keptLists: boolean
    readonly retention: number | false
  }
  readonly commands: readonly LiveCommand[]
}

const WEIGHTS: { readonly [Name in LiveCommand['do']]: number } = {
  deliver: 12,
  message: 10,
  accept: 6,
  apply: 3,
  'watch list': 4,
  'watch item': 2,
  'fetch list': 2,
  unwatch: 1.5,
  create: 2,
  patch: 4,
  delete: 1,
  'create elsewhere': 2,
  'edit elsewhere': 6,
  'move elsewhere': 2,
  'delete elsewhere': 2,
  'restore elsewhere': 1,
  repeat: 1,
  'bad message': 0.5,
  cut: 3,
  reconnect: 3,
  advance: 8,
  'go offline': 0.5,
  'come back': 1,
  hide: 0.5,
  show: 1,
  'log out': 0.5,
}
const NAMES = Object.keys(WEIGHTS) as LiveCommand['do'][]
const ALWAYS: readonly LiveCommand['do'][] = ['deliver', 'message', 'accept', 'watch list', 'advance']
const ELSEWHERE = ['edit elsewhere', 'move elsewhere', 'move elsewhere', 'delete elsewhere'] as const
export const GROUPS = ['x', 'y'] as const
const IDS = [1, 2, 3, 4, 5, 6]

/** The program of a seed. */
export function liveProgramOf(seed: number): LiveProgram {
  const random = new Random(seed)
  const names = NAMES.filter((name) => ALWAYS.includes(name) || random.chance(0.6))
  const bag = names.flatMap((name) => new Array<LiveCommand['do']>(WEIGHTS[name] * 2).fill(name))
  const faults = (['lost', 'lost answer', 503] as const).filter(() => random.chance(0.3))
  const ids = IDS.filter(() => random.chance(0.6))
  const id = (): number => random.pick(ids.length === 0 ? IDS : ids)
  const group = (): string => random.pick(GROUPS)
  const command = (name: LiveCommand['do']): LiveCommand => {
    switch (name) {
      case 'watch list':
      case 'fetch list':
      case 'create':
      case 'create elsewhere':
        return { do: name, group: group() }
      case 'watch item':
      case 'delete':
      case 'delete elsewhere':
        return { do: name, id: id() }
      case 'patch':
      case 'edit elsewhere':
        return { do: name, id: id(), field: random.pick(['title', 'note'] as const) }
      case 'move elsewhere':
      case 'restore elsewhere':
        return { do: name, id: id(), group: group() }
      case 'unwatch':
      case 'apply':
      case 'bad message':
        return { do: name, pick: random.below(6) }
      case 'deliver': {
        const fault = random.chance(0.7) || faults.length === 0 ? 'none' : random.pick(faults)
        return { do: name, pick: random.chance(0.5) ? 0 : random.below(6), fault }
      }
      case 'accept':
        return { do: name, isHeldBack: random.chance(0.15) }
      case 'message':
        return { do: name, most: random.pick([1, 1, 2, 5, 100]) }
      case 'cut':
        return { do: name, how: random.pick(['closed', 'closed', 'failed', 'failed', 'busy', 'refused'] as const) }
      case 'advance':
        return { do: name, ms: random.pick([0, 16, 300, 300, 1_000, 6_000, 31_000]) }
      default:
        return { do: name }
    }
  }
  /** Requests are sent together, and handled and answered in any order, before the source connects. */
  const crossing = (): LiveCommand[] => {
    const reads = (['watch item', 'watch item', 'fetch list'] as const).filter(() => random.chance(0.4))
    const steps = Array.from({ length: 2 + random.below(3) }, () => ['apply', random.pick(ELSEWHERE)] as const).flat()
    const answers = [...GROUPS, ...reads].map(() => 'deliver' as const)
    return [
      ...GROUPS.map((one): LiveCommand => ({ do: 'watch list', group: one })),
      ...[...reads, ...steps, ...answers].map(command),
    ]
  }
  const isCrossing = random.chance(0.3)
  const length = isCrossing ? random.below(15) : 6 + random.below(random.pick([10, 30, 60]))
  const hasIds = random.chance(0.75)
  const saysStart = hasIds && random.chance(0.7)
  // Versions are those of whole rows.
  const isVersioned = random.chance(0.3)
  const logSize = random.pick([0, 2, Infinity, Infinity])
  return {
    traits: {
      hasIds,
      saysStart,
      saysKnown: hasIds && random.chance(0.6),
      logSize,
      isPartial: !isVersioned && random.chance(0.4),
      // A server that always goes on has to remember all.
      resume: hasIds && (saysStart || logSize === Infinity) && random.chance(0.4) ? 'id' : undefined,
      maxBuffer: random.pick([20_000, 20_000, 2]),
      fallbackPoll: random.pick([undefined, undefined, 5_000]),
      dataExpiryLength: random.pick([60_000, 1_000, Infinity]),
      isVersioned,
      keptLists: random.chance(0.3),
      retention: random.pick([false, false, 5_000] as const),
    },
    commands: [...(isCrossing ? crossing() : []), ...Array.from({ length }, () => command(random.pick(bag)))],
  }
}
