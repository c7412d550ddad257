import { type Deed, type Edit, GROUPS, IDS, isCreation, LEAGUES, type ListRead, type Target } from './domain.js'
import type { Traits } from './endpoints.js'
import { SHOWS, type Shows } from './follow.js'
import { Random } from './random.js'
import type { Fault } from './server.js'

/** One step of a program. `pick` chooses among what is there at that moment, so that any part of a program is a program. */
export type Command =
  | { readonly do: 'look' | 'fetch' | 'subscribe' | 'load' | 'invalidate' | 'poll'; readonly target: Target }
  | { readonly do: 'fetch if stale' | 'subscribe badly'; readonly target: Target }
  | { readonly do: 'peek' | 'select' | 'watch fetching' | 'watch store' | 'subscribe marked'; readonly target: Target }
  | { readonly do: 'watch all'; readonly as: 'All' | 'Query' | 'All notes' }
  | { readonly do: 'rename'; readonly group: string }
  | { readonly do: 'watch later items'; readonly group: string; readonly ids: readonly (string | number)[] }
  | { readonly do: 'stop watching' | 'drop error' | 'refetch' | 'show in boundary'; readonly pick: number }
  | { readonly do: 'invalidate by' | 'expire by'; readonly id: string | number | undefined }
  | { readonly do: 'batch'; readonly commands: readonly Command[] }
  | { readonly do: 'edit'; readonly edit: Edit; readonly isOptimistic: boolean }
  | { readonly do: 'elsewhere'; readonly edit: Edit }
  | { readonly do: 'set' | 'set answer'; readonly target: Target; readonly value: number }
  | { readonly do: 'apply' | 'unsubscribe' | 'stop polling' | 'abort'; readonly pick: number }
  | { readonly do: 'deliver'; readonly pick: number; readonly fault: Fault }
  | { readonly do: 'set error' | 'watch failure'; readonly target: Target }
  | { readonly do: 'follow'; readonly shows: Shows; readonly target: Target }
  | { readonly do: 'turn'; readonly pick: number; readonly target: Target | undefined }
  | { readonly do: 'expire all' | 'invalidate all'; readonly read: Target['read'] }
  | { readonly do: 'advance' | 'jump'; readonly ms: number }
  | { readonly do: 'reset' | 'go offline' | 'come back' | 'hide' | 'show' | 'compare readers' | 'hydrate' | 'dispose' }
  | { readonly do: 'watch requests' | 'expire many' }

/** What one run does, whole: it can be written down, cut and run again. */
export interface Program {
  /** The server applies requests in the order in which they were sent. */
  readonly isInOrder: boolean
  readonly traits: Traits
  readonly commands: readonly Command[]
}

/** How often each kind of command comes, where a program has it at all. */
const WEIGHTS: { readonly [Kind in Command['do']]: number } = {
  deliver: 12,
  edit: 9,
  apply: 5,
  subscribe: 5,
  fetch: 4,
  look: 1,
  unsubscribe: 2,
  elsewhere: 2,
  load: 1,
  poll: 1,
  'stop polling': 1,
  abort: 1,
  set: 1,
  'set answer': 1,
  invalidate: 1,
  'expire all': 1,
  'invalidate all': 1,
  advance: 2,
  jump: 0.5,
  reset: 0.4,
  'go offline': 0.5,
  'come back': 0.5,
  hide: 0.4,
  show: 0.4,
  'fetch if stale': 1,
  'subscribe badly': 0.5,
  peek: 1,
  select: 1,
  'watch fetching': 1,
  'watch store': 1,
  'watch all': 0.5,
  rename: 1,
  'stop watching': 0.5,
  'drop error': 1,
  'invalidate by': 0.7,
  'expire by': 0.7,
  batch: 2,
  'compare readers': 1,
  dispose: 0.1,
  hydrate: 1,
  refetch: 1,
  'subscribe marked': 1,
  'watch requests': 0.5,
  'expire many': 0.3,
  'set error': 0.7,
  'watch failure': 0.7,
  follow: 1,
  'show in boundary': 0.5,
  'watch later items': 0.5,
  turn: 2,
}
const KINDS = Object.keys(WEIGHTS) as Command['do'][]
/** Each kind as often as it comes. */
const BAGS = new Map(KINDS.map((kind) => [kind, new Array<Command['do']>(Math.ceil(WEIGHTS[kind] * 10)).fill(kind)]))
const ALWAYS: readonly Command['do'][] = ['deliver', 'edit', 'subscribe', 'fetch']
/** Users and networks that come back, several times where somebody waits for them. */
const COMEBACKS: readonly Command['do'][] = ['hide', 'show', 'go offline', 'come back', 'show in boundary']
/** What can stand in a batch. */
const IN_BATCH: readonly Command['do'][] = [
  'set',
  'set answer',
  'set error',
  'invalidate',
  'invalidate all',
  'expire all',
  'edit',
  'fetch',
]
const DEEDS: readonly Deed[] = [
  'create',
  'unshift',
  'put first',
  'assign',
  'patch',
  'increment',
  'delete',
  'remove',
  'move',
]
const READS: readonly Target['read'][] = ['item', 'list', 'map', 'feed', 'box', 'page', 'board', 'scores', 'stats']

/**
 * The program of a seed: a few ids, a part of all deeds, faults and kinds of commands, so that each run goes deep
 * somewhere.
 */
export function programOf(seed: number): Program {
  const random = new Random(seed)
  const kinds = KINDS.filter((kind) => ALWAYS.includes(kind) || random.chance(0.4))
  const writer = new Writer(random)
  const revalidates = random.chance(0.3)
  const often = revalidates ? new Array<readonly Command['do'][]>(4).fill(COMEBACKS).flat() : []
  const bag = [...kinds, ...often].flatMap((kind) => BAGS.get(kind) ?? [])
  const length = 4 + random.below(random.pick([8, 24, 44]))
  const commands: Command[] = []
  while (commands.length < length) commands.push(writer.command(random.pick(bag)))
  // Each third, since it takes as long as some steps.
  if (length % 3 === 0) commands.push({ do: 'hydrate' })
  return { isInOrder: random.chance(0.6), traits: { ...traitsOf(random), revalidates }, commands }
}

function traitsOf(random: Random): Traits {
  return {
    dataExpiryLength: random.pick([60_000, 60_000, 1_000, 0, Number.POSITIVE_INFINITY]),
    invalidIfStale: random.chance(0.15),
    abortOnUnused: random.chance(0.2),
    isSoft: random.chance(0.3),
    timeout: random.pick([undefined, undefined, 3_000]),
    ...random.pick([
      { retention: false as const },
      { retention: false as const },
      { retention: 60_000 },
      { retention: 5_000 },
      { retention: 200, ticks: 201 },
      { retention: 200, ticks: 120 },
    ]),
    keeps: random.chance(0.3),
    logsOut: random.chance(0.15),
    handsOver: random.chance(0.5),
  }
}

/** Writes single commands. */
class Writer {
  readonly #random: Random
  readonly #ids: readonly (string | number)[]
  readonly #deeds: readonly Deed[]
  readonly #faults: readonly Fault[]
  /** What this program reads; some kinds more often than others. */
  readonly #reads: readonly Target['read'][]
  readonly #into: readonly ListRead[]
  #value = 0

  constructor(random: Random) {
    this.#random = random
    this.#ids = [random.pick(IDS), random.pick(IDS), random.pick(IDS)]
    const deeds = DEEDS.filter(() => random.chance(0.5))
    this.#deeds = ['create', 'patch', ...deeds]
    const special = READS.filter(() => random.chance(0.25))
    this.#reads = ['item', 'list', 'list', ...special, ...special, ...special]
    const into = (['map', 'feed'] as const).filter((read) => special.includes(read))
    this.#into = ['list', ...into, ...into]
    const faults = (['lost', 'lost answer', 500, 401, 'malformed', 'empty', 'twice'] as const).filter(() =>
      random.chance(0.3),
    )
    this.#faults = faults.length === 0 ? ['none'] : ['none', 'none', 'none', 'none', ...faults]
  }

  command(kind: Command['do']): Command {
    const random = this.#random
    switch (kind) {
      case 'look':
      case 'fetch':
      case 'subscribe':
      case 'load':
      case 'invalidate':
      case 'poll':
      case 'fetch if stale':
      case 'subscribe badly':
      case 'peek':
      case 'select':
      case 'watch fetching':
      case 'watch store':
      case 'subscribe marked':
      case 'set error':
      case 'watch failure':
        return { do: kind, target: this.#target() }
      case 'invalidate by':
      case 'expire by':
        return { do: kind, id: random.chance(0.3) ? undefined : random.pick(this.#ids) }
      case 'follow':
        return { do: kind, shows: random.pick(SHOWS), target: this.#target() }
      case 'turn':
        return { do: kind, pick: random.below(8), target: random.chance(0.1) ? undefined : this.#target() }
      case 'watch all':
        return { do: kind, as: random.pick(['All', 'Query', 'All notes'] as const) }
      case 'rename':
        return { do: kind, group: random.pick(GROUPS) }
      case 'watch later items':
        return { do: kind, group: random.pick(GROUPS), ids: this.#ids }
      case 'batch':
        return { do: kind, commands: [1, 2, 3].map(() => this.command(random.pick(IN_BATCH))) }
      case 'edit':
        return { do: kind, edit: this.#edit(), isOptimistic: random.chance(0.6) }
      case 'elsewhere':
        return { do: kind, edit: this.#edit() }
      case 'set':
      case 'set answer':
        return { do: kind, target: this.#target(), value: ++this.#value }
      case 'apply':
      case 'unsubscribe':
      case 'stop polling':
      case 'abort':
      case 'stop watching':
      case 'drop error':
      case 'refetch':
      case 'show in boundary':
        return { do: kind, pick: random.below(8) }
      case 'deliver':
        return { do: kind, pick: random.chance(0.5) ? 0 : random.below(8), fault: random.pick(this.#faults) }
      case 'expire all':
      case 'invalidate all':
        return { do: kind, read: random.pick(this.#reads) }
      case 'advance':
        return { do: kind, ms: random.pick([1, 500, 3_000, 6_000, 31_000, 70_000]) }
      case 'jump':
        return { do: kind, ms: random.pick([-3_600_000, 3_600_000, -1, 31_536_000_000]) }
      default:
        return { do: kind }
    }
  }

  #target(): Target {
    const random = this.#random
    const read = random.pick(this.#reads)
    if (read === 'item') return { read, id: random.pick(this.#ids) }
    if (read === 'stats') return { read }
    if (read === 'scores') return { read, league: random.pick(LEAGUES) }
    const group = random.pick(GROUPS)
    if (read === 'box') return { read, group }
    if (read === 'board') return { read, group, league: random.pick(LEAGUES) }
    if (read === 'page') return random.chance(0.5) ? { read, group } : { read, group, page: 1 + random.below(2) }
    return random.chance(0.4) ? { read } : { read, group }
  }

  #edit(): Edit {
    const random = this.#random
    const into = random.pick(this.#into)
    const deed = fitting(random.pick(this.#deeds), into)
    const isNew = isCreation(deed)
    const id = isNew && deed !== 'assign' && random.chance(0.3) ? undefined : random.pick(this.#ids)
    const fields = random.below(3)
    const values = {
      ...(fields !== 1 ? { a: ++this.#value } : {}),
      ...(fields !== 0 ? { b: ++this.#value } : {}),
    }
    const answer = random.pick(
      isNew ? (['full', 'partial'] as const) : (['full', 'full', 'partial', 'partial', 'empty'] as const),
    )
    const also = random.chance(0.15) ? { also: this.#target() } : undefined
    const edit = { deed, id, group: random.pick(GROUPS), values, answer, ...also }
    const counts = isNew && this.#reads.includes('stats') && random.chance(0.5) ? { counts: true } : undefined
    if (into === 'list') return { ...edit, ...counts }
    if (into === 'map') return { ...edit, into, ...counts }
    const type = deed !== 'increment' && random.chance(0.5) ? ('note' as const) : ('item' as const)
    return { ...edit, into, type, ...counts }
  }
}

/** A deed that lists of this kind know. */
function fitting(deed: Deed, into: ListRead): Deed {
  if (deed === 'put first' && into !== 'list') return 'unshift'
  return deed === 'assign' && into !== 'map' ? 'create' : deed
}
