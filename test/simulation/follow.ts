import {
  type Controller,
  follower,
  initial,
  keepPrevious,
  type LiveQuery,
  type QuerySnapshot,
  type ReadEndpoint,
  select,
} from '@roundtable/core'
import { argsOf, type Target } from './domain.js'
import { same, text } from './same.js'
import type { World } from './world.js'
import { must } from './wrong.js'

/** How a reader shows what it reads: marks from the inner to the outer one. */
export type Shows = readonly ('previous' | 'first' | 'size')[]

export const SHOWS: readonly Shows[] = [
  ['previous'],
  ['previous', 'size'],
  ['size', 'previous'],
  ['previous', 'first'],
  ['first', 'previous'],
  ['first'],
  ['first', 'size'],
  ['size', 'previous', 'first'],
]

/** What is shown in place of nothing. */
const FIRST = { first: true }

/** How much there is of something; a response may have been empty or malformed. */
export function sizeOf(data: unknown): number {
  return Object.keys(Object(data)).length
}

/** What a reader is told, as far as marks change it. */
type Told = Pick<QuerySnapshot<unknown>, 'status' | 'data' | 'error' | 'refreshing'>

/** With what is read only when it is accessed. */
function inFull({ status, data, error, refreshing }: Told): string {
  return text({ status, data, error, refreshing })
}

/**
 * A component with changing arguments that shows what it reads in its own way, beside a naive second opinion: what the
 * plain queries of its arguments show, put through its marks.
 */
export class Following {
  readonly #world: World
  readonly #shows: Shows
  readonly #follow: ReturnType<typeof follower> = follower()
  /** Undefined while it has no arguments. */
  #target: Target | undefined
  #query: LiveQuery<unknown> | undefined = undefined
  #stop: () => void = () => {}
  /** What it showed before, until what it reads now is there. */
  #previous: Target | undefined = undefined
  #last: unknown = undefined
  /** Whether it shows what it reads now, of which it is told. */
  #isOwn = false

  constructor(world: World, shows: Shows, target: Target | undefined) {
    this.#world = world
    this.#shows = shows
    this.turn(target)
  }

  /** Its arguments become others. */
  turn(target: Target | undefined): void {
    const before = this.#target
    if (before === undefined || target === undefined) this.#previous = undefined
    else if (text(before) !== text(target)) {
      const isWaiting = this.#withMarks(this.#plain(before), this.#innerMarks).status === 'pending'
      this.#previous = isWaiting ? (this.#previous ?? before) : before
    }
    this.#target = target
    this.#query = this.#follow(this.#marked(target))
    // Rendered first, as components do.
    this.#look()
    this.leave()
    const root = this.#query.root ?? this.#query
    this.#stop = root.subscribe(() => this.#look())
  }

  leave(): void {
    this.#stop()
    this.#stop = () => {}
  }

  /** After each step. */
  check(): void {
    const [last, wasOwn] = [this.#last, this.#isOwn]
    this.#look()
    // What it showed before is read, not followed.
    if (!wasOwn || !this.#isOwn) return
    must(this.#last === last, () => `${this.#name} changed and nobody was told: ${text(last)} → ${text(this.#last)}`)
  }

  /** What it reads, without its marks. */
  get read(): { readonly target: Target; readonly shown: QuerySnapshot<unknown> } | undefined {
    return this.#target && { target: this.#target, shown: this.#plain(this.#target) }
  }

  get #name(): string {
    return `${text(this.#target)} with ${this.#shows.join(', then ')}`
  }

  #look(): void {
    const target = this.#target
    const shown = this.#query?.getSnapshot()
    if (shown === undefined) return
    this.#last = shown
    if (target === undefined) {
      must(shown.status === 'idle' && shown.data === undefined, () => `${this.#name} shows ${text(shown)}`)
      return
    }
    const own = this.#withMarks(this.#plain(target), this.#innerMarks)
    this.#isOwn = own.status !== 'pending'
    if (this.#isOwn) this.#previous = undefined
    const told = this.#told(target)
    const isRight =
      shown.status === told.status &&
      shown.error === told.error &&
      shown.refreshing === told.refreshing &&
      shown.loading === (told.status === 'pending') &&
      (shown.data === told.data || (this.#shows.includes('size') && same(shown.data, told.data)))
    must(isRight, () => `${this.#name} shows ${inFull(shown)}, it should be ${inFull(told)}`)
  }

  /** The marks below the one that keeps; all if there is none. */
  get #innerMarks(): Shows {
    const at = this.#shows.indexOf('previous')
    return at < 0 ? this.#shows : this.#shows.slice(0, at)
  }

  #told(target: Target): Told {
    const own = this.#withMarks(this.#plain(target), this.#innerMarks)
    const at = this.#shows.indexOf('previous')
    if (at < 0) return own
    const before = this.#previous && this.#withMarks(this.#plain(this.#previous), this.#innerMarks).data
    const isKept = own.status === 'pending' && before !== undefined
    const kept: Told = isKept ? { status: 'ready', data: before, error: undefined, refreshing: true } : own
    return this.#withMarks(kept, this.#shows.slice(at + 1))
  }

  #withMarks(plain: Told, marks: Shows): Told {
    let told = plain
    for (const mark of marks) {
      const { status, data, error, refreshing } = told
      if (mark === 'size' && data !== undefined) told = { status, data: sizeOf(data), error, refreshing }
      const isWaiting = status === 'pending' || refreshing
      if (mark === 'first' && data === undefined)
        told = { status: error === undefined ? 'ready' : 'failed', data: FIRST, error, refreshing: isWaiting }
    }
    return told
  }

  #plain(target: Target): QuerySnapshot<unknown> {
    const { controller, endpoints } = this.#world
    return controller.watch(endpoints.of(target.read), ...argsOf(target)).getSnapshot()
  }

  #marked(target: Target | undefined): LiveQuery<unknown> {
    const { controller, endpoints } = this.#world
    const plain: ReadEndpoint = endpoints.of(target?.read ?? 'stats')
    const endpoint = this.#shows.reduce<ReadEndpoint>((of, mark) => {
      const marked =
        mark === 'previous' ? keepPrevious(of) : mark === 'size' ? select(of, sizeOf) : initial(of, FIRST as never)
      return marked as unknown as ReadEndpoint
    }, plain)
    const args = target === undefined ? [null] : argsOf(target)
    return (controller as Controller).watch(endpoint, ...(args as readonly [null]))
  }
}
