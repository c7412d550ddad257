import { DeletedError, type QuerySnapshot } from '@roundtable/core'
import { Item } from './domain.js'
import type { Mount } from './mount.js'
import type { Command } from './program.js'
import { same, text } from './same.js'
import type { Request } from './server.js'
import type { World } from './world.js'
import { must } from './wrong.js'

/** How long a reader goes on to show a row that was deleted here, in ms. */
const KEPT_FOR = 1_000

interface Readers {
  /** What they showed when its data was last there. */
  last?: QuerySnapshot<unknown> | undefined
  /** When that was. */
  lastAt: number
  /** When it was first seen that it is gone. */
  goneAt?: number
  /** By what they were told of the deletion, once they were. */
  error?: Error
}

/** Steps after which nobody asks but those who do so by themselves. */
const QUIET: readonly Command['do'][] = [
  'advance',
  'apply',
  'deliver',
  'edit',
  'elsewhere',
  'expire all',
  'expire by',
  'expire many',
  'hide',
  'invalidate',
  'invalidate all',
  'invalidate by',
  'jump',
  'peek',
  'rename',
  'select',
  'show',
  'stop polling',
  'stop watching',
  'unsubscribe',
]

/**
 * Readers of a row that is deleted here: they show what they showed before, for a second after the deletion has
 * succeeded, and then an error of the library. Nothing is asked for meanwhile, unless somebody who comes asks.
 */
export class Deletions {
  readonly #world: World
  /** The readers of each key. */
  readonly #readers = new Map<string, Readers>()
  /** Whether the step that is checked next has somebody who asks. */
  #isAsked = false
  /** The requests that were under way after the last step. */
  #open: ReadonlySet<Request> = new Set()

  constructor(world: World) {
    this.#world = world
  }

  /** Before a step. */
  begin(command: Command): void {
    if (!QUIET.includes(command.do)) this.#isAsked = true
  }

  /** Somebody asks for everything. */
  asked(): void {
    this.#isAsked = true
  }

  /** After each step: notes which mounts show what they do because their row was deleted. */
  check(): void {
    const { mounts, followings, watches, server } = this.#world
    // Readers that show it in a way of their own read it too, and all readers of a query keep the same.
    for (const { read } of [...followings, ...watches]) if (read !== undefined) this.#isRight(read)
    for (const mount of mounts) {
      const wasOfDeleted = mount.isOfDeleted
      mount.isOfDeleted = this.#isRight(mount)
      if (!wasOfDeleted || !mount.isOfDeleted || this.#isAsked) continue
      for (const request of server.open) {
        const isFor = request.call.type === 'read' && same(request.call.target, mount.target)
        must(!isFor || this.#open.has(request), () => `${text(mount.target)} was deleted here, and is asked for`)
      }
    }
    this.#open = new Set(server.open)
    this.#isAsked = false
  }

  /** Whether a reader shows what it does because its row was deleted; throws if it may not. */
  #isRight({ target, shown }: Pick<Mount, 'target' | 'shown'>): boolean {
    if (target.read !== 'item') return false
    const { controller, clock, model } = this.#world
    const name = text(target)
    const now = clock.mono()
    const isTold = shown.error instanceof DeletedError
    const isHeld = controller.get(Item, { id: target.id }) !== undefined
    if (!isTold && (isHeld || shown.data === undefined)) {
      this.#readers.set(name, { last: shown.data === undefined ? undefined : shown, lastAt: now })
      return false
    }
    const readers: Readers = this.#readers.get(name) ?? { lastAt: now }
    const { last, lastAt, error } = readers
    readers.goneAt ??= now
    const deletion = model.deletion(target)
    // A creation that failed after the deletion shows the row in between.
    const since = (gone: number): number => (deletion?.at === undefined ? -1 : now - Math.max(deletion.at, gone))
    const what = (): string =>
      `${name} shows ${text(shown)} ${since(lastAt)} ms after its deletion, before ${text(last)}`
    must(deletion !== undefined, () => `${what()}; nobody here has deleted it`)
    // Readers of one key show the same: one whose listener throws may have shown the row before anybody whom we ask.
    if (last === undefined && this.#world.followedBadly.has(name)) return true
    must(last !== undefined, () => `${what()}; nothing was there to be kept`)
    if (isTold) {
      must(shown.status === 'failed' && shown.data === undefined, what)
      // Once they were told, they stay so: also while another deletion of it is pending.
      must(error !== undefined || since(lastAt) >= KEPT_FOR, what)
      must(error === undefined || error === shown.error, () => `${what()}; it was told of that by another error`)
      readers.error = shown.error as Error
    } else must(since(readers.goneAt) < KEPT_FOR && error === undefined && shown === last, what)
    return true
  }
}
