import { Random } from '../random.js'
import type { Field } from './item-server.js'

/** What goes wrong with a request or its response. */
export type HttpFault = 'none' | 'lost' | 'lost answer' | 503 | 429

/** One step of a program over HTTP. `pick` chooses among what is there, so that any part of a program is a program. */
export type HttpCommand =
  | { readonly do: 'watch' | 'fetch'; readonly ids: readonly number[] }
  | { readonly do: 'watch list'; readonly group: string }
  | { readonly do: 'unwatch' | 'next page' | 'refetch' | 'abort' | 'apply'; readonly pick: number }
  | { readonly do: 'watch attempts'; readonly id: number }
  | { readonly do: 'patch' | 'elsewhere'; readonly id: number; readonly field: Field; readonly value: string }
  | { readonly do: 'move'; readonly id: number; readonly group: string }
  | { readonly do: 'delete' | 'delete elsewhere'; readonly id: number }
  | { readonly do: 'create' | 'create elsewhere'; readonly group: string; readonly title: string }
  /** Of a row that is, or was, still being created: `pick` chooses among their temporary keys. */
  | { readonly do: 'patch new'; readonly pick: number; readonly field: Field; readonly value: string }
  | { readonly do: 'delete new' | 'fetch new'; readonly pick: number }
  /**
   * The store is emptied, and those who showed what is somebody's own leave: first, in the same step, or as frameworks
   * render.
   */
  | { readonly do: 'log out'; readonly leave: 'first' | 'then' | 'rendered' }
  | { readonly do: 'deliver'; readonly pick: number; readonly fault: HttpFault }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'expire' | 'go offline' | 'come back' | 'hide' | 'show' }

/** What one run does, whole. */
export interface HttpProgram {
  readonly traits: {
    /** How often the controller sends a failed request again. */
    readonly retries: number
    /** Reads of one tick are one request. */
    readonly batches: boolean
    /** Validators are sent with reads. */
    readonly etag: boolean
    readonly revalidates: boolean
    readonly dataExpiryLength: number
    /** What lists know: nothing, their order, or that and who is in them. */
    readonly lists: 'plain' | 'sorted' | 'kept'
    /** Pages are found by what the page before says, not by their number. */
    readonly cursors: boolean
    /** Mutations of one row are sent one after the other. */
    readonly scoped: boolean
  }
  readonly commands: readonly HttpCommand[]
}

const WEIGHTS: { readonly [Kind in HttpCommand['do']]: number } = {
  deliver: 16,
  apply: 3,
  watch: 4,
  fetch: 3,
  'watch list': 2,
  'next page': 3,
  refetch: 2,
  'watch attempts': 2,
  unwatch: 1,
  abort: 1,
  patch: 5,
  elsewhere: 4,
  move: 3,
  delete: 1.5,
  'delete elsewhere': 1,
  create: 2,
  'create elsewhere': 1,
  'patch new': 2,
  'delete new': 0.5,
  'fetch new': 0.5,
  'log out': 0.5,
  advance: 2,
  expire: 1,
  'go offline': 1,
  'come back': 2,
  hide: 0.5,
  show: 0.5,
}
const KINDS = Object.keys(WEIGHTS) as HttpCommand['do'][]
/** What others do, and what keeps this client from hearing of what it has done. */
export const OTHERS: readonly HttpCommand['do'][] = [
  'elsewhere',
  'delete elsewhere',
  'create elsewhere',
  'abort',
  'go offline',
  'log out',
]
const GROUPS = ['x', 'y']
const IDS = [1, 2, 3, 4, 5, 6]

/** The program of a seed. */
export function httpProgramOf(seed: number): HttpProgram {
  const random = new Random(seed)
  // Then the screen must be right without a fetch by anybody.
  const isAlone = random.chance(0.3)
  const kinds = KINDS.filter(
    (kind) => kind === 'deliver' || kind === 'watch' || (random.chance(0.6) && !(isAlone && OTHERS.includes(kind))),
  )
  const bag = kinds.flatMap((kind) => new Array<HttpCommand['do']>(WEIGHTS[kind] * 2).fill(kind))
  const faults = (['lost', 'lost answer', 503, 429] as const).filter(() => random.chance(isAlone ? 0.25 : 0.4))
  const ids = IDS.filter(() => random.chance(0.6))
  const id = (): number => random.pick(ids.length === 0 ? IDS : ids)
  let value = 0
  const command = (kind: HttpCommand['do']): HttpCommand => {
    switch (kind) {
      case 'watch':
      case 'fetch':
        return { do: kind, ids: Array.from({ length: 1 + random.below(5) }, id) }
      case 'watch list':
        return { do: kind, group: random.pick(GROUPS) }
      case 'unwatch':
      case 'next page':
      case 'refetch':
      case 'abort':
      case 'apply':
        return { do: kind, pick: random.below(6) }
      case 'patch':
      case 'elsewhere':
        return { do: kind, id: id(), field: random.pick(['title', 'note'] as const), value: `${++value}` }
      case 'move':
        return { do: kind, id: id(), group: random.pick(GROUPS) }
      case 'delete':
      case 'delete elsewhere':
      case 'watch attempts':
        return { do: kind, id: id() }
      case 'create':
      case 'create elsewhere':
        return { do: kind, group: random.pick(GROUPS), title: `new ${++value}` }
      case 'patch new': {
        const field = random.pick(['title', 'note'] as const)
        return { do: kind, pick: random.below(4), field, value: `${++value}` }
      }
      case 'delete new':
      case 'fetch new':
        return { do: kind, pick: random.below(4) }
      case 'log out':
        return { do: kind, leave: random.pick(['first', 'then', 'rendered'] as const) }
      case 'deliver': {
        const fault = random.chance(0.7) || faults.length === 0 ? 'none' : random.pick(faults)
        return { do: kind, pick: random.chance(0.5) ? 0 : random.below(6), fault }
      }
      case 'advance':
        return { do: kind, ms: random.pick([50, 200, 1_000, 6_000, 61_000]) }
      default:
        return { do: kind }
    }
  }
  const length = 6 + random.below(random.pick([10, 30, 50]))
  return {
    traits: {
      retries: random.pick([0, 1, 2]),
      batches: random.chance(0.7),
      etag: random.chance(0.6),
      revalidates: random.chance(0.5),
      dataExpiryLength: random.pick([60_000, 1_000, 0]),
      lists: random.pick(['plain', 'plain', 'sorted', 'kept'] as const),
      cursors: random.chance(0.4),
      scoped: random.chance(0.5),
    },
    commands: Array.from({ length }, () => command(random.pick(bag))),
  }
}
