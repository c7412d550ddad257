import { Random } from '../random.js'

/**
 * What goes wrong with a request or its response. `empty` was applied, and says nothing; `late` is applied after the
 * client has given up.
 */
export type OfflineFault = 'none' | 'lost' | 'lost answer' | 'late' | 'empty' | 'no-store' | 'cut' | number

/** How a page ends: told in advance, or not. */
export type PageEnd = 'closed' | 'crashed'

/** What becomes of records that a page was writing when it ended: they are not there, torn, or whole. */
export type Fate = 'lost' | 'torn' | 'whole'

export type TaskField = 'title' | 'note'

/** What a mutation outside of the outbox does. */
export type OutsideWay = (typeof OUTSIDE_WAYS)[number]
const OUTSIDE_WAYS = ['create', 'edit', 'move', 'move', 'remove'] as const

/** One step of a program. `tab` and `pick` choose among what is there, so that any part of a program is a program. */
export type OfflineCommand = { readonly tab: number } & (
  | { readonly do: 'fetch' | 'watch' | 'delete' | 'delete elsewhere'; readonly id: number }
  | { readonly do: 'fetch list' | 'watch list' | 'poll list' | 'create'; readonly list: string }
  | { readonly do: 'edit' | 'edit elsewhere' | 'put'; readonly id: number; readonly field: TaskField }
  | { readonly do: 'move'; readonly id: number; readonly list: string }
  /** Not of the outbox: answered at once, or, in programs without an outbox, when its response is delivered. */
  | {
      readonly do: 'outside'
      readonly way: OutsideWay
      readonly id: number
      readonly list: string
      readonly isSlow: boolean
    }
  | { readonly do: 'create elsewhere'; readonly list: string }
  /** Of a row that is, or was, still being created. */
  | { readonly do: 'edit new' | 'delete new' | 'move new'; readonly pick: number }
  | { readonly do: 'unwatch' | 'apply' | 'retry' | 'discard' | 'abort'; readonly pick: number }
  | { readonly do: 'deliver'; readonly pick: number; readonly fault: OfflineFault }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'set clock'; readonly by: number }
  | {
      readonly do: 'go offline' | 'come back' | 'hide' | 'show' | 'log out' | 'sign in' | 'flush' | 'forget' | 'expire'
    }
  /** The page ends before or after the next write or request but so many. */
  | { readonly do: 'crash in'; readonly points: number; readonly fate: Fate }
  | {
      readonly do: 'reload'
      readonly how: PageEnd
      readonly fate: Fate
      readonly version: number
      readonly user: number
    }
  | { readonly do: 'open'; readonly version: number; readonly user: number }
  | { readonly do: 'close'; readonly how: PageEnd; readonly fate: Fate }
  | { readonly do: 'freeze' | 'wake' }
  | { readonly do: 'damage'; readonly pick: number }
  | { readonly do: 'disk is slow' | 'disk is quick' | 'disk is full' | 'disk has room' | 'summarize' }
  | { readonly do: 'disk works'; readonly count: number }
)

/** What one run does, whole. */
export interface OfflineProgram {
  readonly traits: {
    /** The seed of what the environment throws dice for. */
    readonly luck: number
    /** Changes are sent with the version that their user has seen; who has changed the same is asked, or overwrites. */
    readonly careful: 'no' | 'asks' | 'overwrites'
    /** Lists know who belongs to them. */
    readonly keptLists: boolean
    /** Mutations of one row are sent one after the other, by the outbox or not. */
    readonly scoped?: boolean
    /** Rows accept no earlier version of themselves. */
    readonly versioned?: boolean
    /** Values are so long that a log is summarized after some of them. */
    readonly isBulky: boolean
    readonly maxAttempts: number
    /** So many pages are open at most. */
    readonly tabs: number
    /** Pages wait for each other before they send. */
    readonly hasLocks: boolean
    readonly dataExpiryLength: number
  }
  readonly commands: readonly OfflineCommand[]
}

const WEIGHTS: { readonly [Name in OfflineCommand['do']]: number } = {
  deliver: 20,
  apply: 3,
  fetch: 3,
  watch: 2,
  'fetch list': 3,
  'watch list': 2,
  'poll list': 0.5,
  unwatch: 1,
  create: 4,
  edit: 5,
  put: 2,
  delete: 1.5,
  move: 2,
  outside: 3,
  'edit new': 4,
  'delete new': 1,
  'move new': 1,
  'edit elsewhere': 2,
  'create elsewhere': 1,
  'delete elsewhere': 1,
  retry: 2,
  discard: 1,
  abort: 0.5,
  advance: 5,
  'set clock': 0.5,
  'go offline': 2,
  'come back': 2,
  hide: 0.5,
  show: 0.5,
  'log out': 0.5,
  'sign in': 1,
  flush: 2,
  forget: 0.5,
  expire: 1,
  'crash in': 3,
  reload: 4,
  open: 4,
  close: 2,
  freeze: 1.5,
  wake: 2,
  damage: 0.5,
  'disk is slow': 2,
  'disk is quick': 2,
  'disk is full': 1,
  'disk has room': 1,
  'disk works': 5,
  summarize: 1,
}
const NAMES = Object.keys(WEIGHTS) as OfflineCommand['do'][]

/** What others do, and what keeps this client from hearing of what it has done. */
export const OTHERS: readonly OfflineCommand['do'][] = [
  'edit elsewhere',
  'create elsewhere',
  'delete elsewhere',
  'log out',
  'abort',
  'discard',
  'damage',
  'forget',
]
/** Mutations of the outbox. */
const OF_OUTBOX: readonly OfflineCommand['do'][] = [
  ...(['create', 'edit', 'put', 'delete', 'move', 'edit new', 'delete new', 'move new', 'retry', 'discard'] as const),
]
export const LISTS = ['x', 'y'] as const
const IDS = [1, 2, 3, 4, 5, 6]
const FAULTS: readonly OfflineFault[] = [
  ...(['lost', 'lost answer', 'late', 'empty', 'no-store', 'cut'] as const),
  ...[401, 404, 409, 412, 413, 429, 500, 503],
]

/** The program of a seed, with so many pages at most. */
export function offlineProgramOf(seed: number, mostTabs: number): OfflineProgram {
  const random = new Random(seed)
  // Then the screen must be right without a fetch by anybody.
  const isAlone = random.chance(0.3)
  // Then the order of mutations is that of the network.
  const isSlow = random.chance(0.25)
  const isMeant = (name: OfflineCommand['do']): boolean =>
    !(isAlone && OTHERS.includes(name)) && !(isSlow && OF_OUTBOX.includes(name))
  const always: readonly OfflineCommand['do'][] = ['deliver', isSlow ? 'outside' : 'edit', 'advance']
  const kinds = NAMES.filter((name) => always.includes(name) || (random.chance(0.6) && isMeant(name)))
  const bag = kinds.flatMap((name) => new Array<OfflineCommand['do']>(WEIGHTS[name] * 2).fill(name))
  const faults = FAULTS.filter(() => random.chance(0.25))
  const failures = random.pick([0.1, 0.3, 0.5])
  const tabs = 1 + random.below(mostTabs)
  const versions = random.chance(0.2) ? 2 : 1
  const users = random.chance(0.15) ? 2 : 1
  const step = (name: OfflineCommand['do']): OfflineCommand => {
    const tab = random.below(4)
    const fate = random.pick(['lost', 'torn', 'whole'] as const)
    switch (name) {
      case 'fetch':
      case 'watch':
      case 'delete':
      case 'delete elsewhere':
        return { do: name, tab, id: random.pick(IDS) }
      case 'fetch list':
      case 'watch list':
      case 'poll list':
      case 'create':
      case 'create elsewhere':
        return { do: name, tab, list: random.pick(LISTS) }
      case 'edit':
      case 'edit elsewhere':
      case 'put':
        return { do: name, tab, id: random.pick(IDS), field: random.pick(['title', 'note'] as const) }
      case 'move':
        return { do: name, tab, id: random.pick(IDS), list: random.pick(LISTS) }
      case 'outside': {
        const way = random.pick(OUTSIDE_WAYS)
        return { do: name, way, tab, id: random.pick(IDS), list: random.pick(LISTS), isSlow }
      }
      case 'edit new':
      case 'delete new':
      case 'move new':
      case 'unwatch':
      case 'apply':
      case 'retry':
      case 'discard':
      case 'abort':
      case 'damage':
        return { do: name, tab, pick: random.below(6) }
      case 'deliver': {
        const fault = faults.length > 0 && random.chance(failures) ? random.pick(faults) : 'none'
        return { do: name, tab, pick: random.chance(0.5) ? 0 : random.below(6), fault }
      }
      case 'advance':
        return { do: name, tab, ms: random.pick([10, 60, 1_000, 5_000, 61_000]) }
      case 'set clock':
        return { do: name, tab, by: random.pick([-3_600_000, 3_600_000]) }
      case 'crash in':
        return { do: name, tab, points: random.below(8), fate }
      case 'reload': {
        const how = random.pick(['closed', 'crashed'] as const)
        return { do: name, tab, how, fate, version: random.below(versions), user: random.below(users) }
      }
      case 'open':
        return { do: name, tab, version: random.below(versions), user: random.below(users) }
      case 'close':
        return { do: name, tab, how: random.pick(['closed', 'crashed'] as const), fate }
      case 'disk works':
        return { do: name, tab, count: 1 + random.below(4) }
      default:
        return { do: name, tab }
    }
  }
  const length = 6 + random.below(random.pick([10, 30, 60]))
  return {
    traits: {
      luck: random.below(1_000),
      careful: random.pick(['no', 'no', 'asks', 'overwrites'] as const),
      keptLists: random.chance(0.3),
      scoped: random.chance(0.3),
      versioned: random.chance(0.2),
      isBulky: random.chance(0.25),
      tabs,
      hasLocks: random.chance(0.8),
      maxAttempts: random.pick([10, 10, 2]),
      dataExpiryLength: random.pick([60_000, 1_000, Number.MAX_SAFE_INTEGER]),
    },
    commands: Array.from({ length }, () => step(random.pick(bag))),
  }
}
