import { type Deed, type Edit, GROUPS, IDS, type Target } from './domain.js'
import type { Traits } from './endpoints.js'
import { Random } from './random.js'
import type { Fault } from './server.js'

/** One step of a program. `pick` chooses among what is there at that moment, so that any part of a program is a program. */
export type Command =
  | { readonly do: 'look' | 'fetch' | 'subscribe' | 'load' | 'invalidate' | 'poll'; readonly target: Target }
  | { readonly do: 'edit'; readonly edit: Edit; readonly isOptimistic: boolean }
  | { readonly do: 'elsewhere'; readonly edit: Edit }
  | { readonly do: 'set' | 'set answer'; readonly target: Target; readonly value: number }
  | { readonly do: 'apply' | 'unsubscribe' | 'stop polling' | 'abort'; readonly pick: number }
  | { readonly do: 'deliver'; readonly pick: number; readonly fault: Fault }
  | { readonly do: 'expire all' | 'invalidate all'; readonly read: Target['read'] }
  | { readonly do: 'advance' | 'jump'; readonly ms: number }
  | { readonly do: 'reset' | 'go offline' | 'come back' | 'compare readers' | 'dispose' }

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
  'compare readers': 1,
  dispose: 0.1,
}
const KINDS = Object.keys(WEIGHTS) as Command['do'][]
const ALWAYS: readonly Command['do'][] = ['deliver', 'edit', 'subscribe', 'fetch']
const DEEDS: readonly Deed[] = ['create', 'unshift', 'patch', 'increment', 'delete', 'remove', 'move']

/** The program of a seed: a few ids, a part of all deeds, faults and kinds of commands, so that each run goes deep somewhere. */
export function programOf(seed: number): Program {
  const random = new Random(seed)
  const kinds = KINDS.filter((kind) => ALWAYS.includes(kind) || random.chance(0.4))
  const writer = new Writer(random)
  const bag = kinds.flatMap((kind) => new Array<Command['do']>(Math.ceil(WEIGHTS[kind] * 10)).fill(kind))
  const length = 4 + random.below(random.pick([8, 24, 44]))
  const commands: Command[] = []
  while (commands.length < length) commands.push(writer.command(random.pick(bag)))
  return { isInOrder: random.chance(0.6), traits: traitsOf(random), commands }
}

function traitsOf(random: Random): Traits {
  return {
    dataExpiryLength: random.pick([60_000, 60_000, 1_000, 0, Number.POSITIVE_INFINITY]),
    invalidIfStale: random.chance(0.15),
    abortOnUnused: random.chance(0.2),
    isSoft: random.chance(0.3),
    timeout: random.pick([undefined, undefined, 3_000]),
    retention: random.pick([false, false, 60_000, 5_000]),
  }
}

/** Writes single commands. */
class Writer {
  readonly #random: Random
  readonly #ids: readonly (string | number)[]
  readonly #deeds: readonly Deed[]
  readonly #faults: readonly Fault[]
  #value = 0

  constructor(random: Random) {
    this.#random = random
    this.#ids = [random.pick(IDS), random.pick(IDS), random.pick(IDS)]
    const deeds = DEEDS.filter(() => random.chance(0.5))
    this.#deeds = ['create', 'patch', ...deeds]
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
        return { do: kind, target: this.#target() }
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
        return { do: kind, pick: random.below(8) }
      case 'deliver':
        return { do: kind, pick: random.chance(0.5) ? 0 : random.below(8), fault: random.pick(this.#faults) }
      case 'expire all':
      case 'invalidate all':
        return { do: kind, read: random.pick(['item', 'list', 'stats'] as const) }
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
    const read = random.pick(['item', 'item', 'list', 'list', 'stats'] as const)
    if (read === 'item') return { read, id: random.pick(this.#ids) }
    if (read === 'list') return random.chance(0.4) ? { read } : { read, group: random.pick(GROUPS) }
    return { read }
  }

  #edit(): Edit {
    const random = this.#random
    const deed = random.pick(this.#deeds)
    const isNew = deed === 'create' || deed === 'unshift'
    const id = isNew && random.chance(0.3) ? undefined : random.pick(this.#ids)
    const fields = random.below(3)
    const values = {
      ...(fields !== 1 ? { a: ++this.#value } : {}),
      ...(fields !== 0 ? { b: ++this.#value } : {}),
    }
    const answer = random.pick(
      isNew ? (['full', 'partial'] as const) : (['full', 'full', 'partial', 'partial', 'empty'] as const),
    )
    return { deed, id, group: random.pick(GROUPS), values, answer }
  }
}
