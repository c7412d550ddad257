import { recovery } from '@roundtable/core'
import { argsOf, type Target } from './domain.js'
import type { Command } from './program.js'
import { same, text } from './same.js'
import type { World } from './world.js'
import { must } from './wrong.js'

/** The throttle of `revalidate`, and its jitter as chance has it here, in ms. */
const THROTTLE = 5_000
const JITTER = 500

/** A boundary that shows an error. */
interface Boundary {
  readonly error: Error
  retried: number
  readonly stop: () => void
}

/** What `revalidate` does when the user comes back to the page, and when the network is back: when it asks, and for what. */
export class Comebacks {
  readonly #world: World
  readonly #boundaries: Boundary[] = []
  #isVisible = true
  #isOnline = true
  /** When it asked last; monotonic ms. */
  #last = Number.NEGATIVE_INFINITY
  /** When it asked last since the network was back. */
  #lastOnline = Number.NEGATIVE_INFINITY
  /** When it has to ask since the network is back, as soon as the page is seen. */
  #due: number | undefined = undefined
  /** How often it has asked: since the user, or since the network is back. */
  readonly #asked = { focus: 0, online: 0 }
  /** How often the store was emptied. */
  #resets = 0
  /** What has to be under way after this step. */
  #wanted: Target[] = []

  constructor(world: World) {
    this.#world = world
    if (world.program.traits.revalidates !== true) return
    world.controller.on('action', ({ type }) => {
      if (type === 'focus' || type === 'online') this.#noteAsking(type)
    })
    world.controller.on('reset', () => void this.#resets++)
  }

  /** A boundary shows the error of a read. */
  bound(error: Error | undefined): void {
    if (error === undefined) return
    const boundary: Boundary = {
      error,
      retried: this.#recoveries,
      stop: recovery(this.#world.controller, error)(() => void boundary.retried++),
    }
    this.#boundaries.push(boundary)
  }

  leave(): void {
    for (const { stop } of this.#boundaries.splice(0)) stop()
  }

  /** Before and after a step. */
  async during(command: Command, step: () => Promise<void>): Promise<void> {
    const { clock, program } = this.#world
    if (program.traits.revalidates !== true) return step()
    const before = { ...this.#asked }
    const isSeen = command.do === 'show' && !this.#isVisible && this.#isOnline
    const mustAsk = isSeen && clock.mono() - this.#last >= THROTTLE
    if (command.do === 'show' || command.do === 'hide') this.#isVisible = command.do === 'show'
    if (command.do === 'come back' && !this.#isOnline) this.#due = clock.mono() + JITTER
    if (command.do === 'go offline' || command.do === 'come back') this.#isOnline = command.do === 'come back'
    // After a disposal nobody asks any more.
    if (command.do === 'go offline' || this.#world.isDisposed || command.do === 'dispose') this.#due = undefined
    await step()
    const { focus, online } = this.#asked
    const recoveries = this.#recoveries
    if (mustAsk) must(focus + online > before.focus + before.online, 'the user is back, and nothing was judged again')
    if (this.#due !== undefined && this.#isVisible && clock.mono() >= this.#due) {
      must(this.#lastOnline >= this.#due, 'the network is back, and nothing was judged again')
      this.#due = undefined
    }
    this.#checkWanted(command)
    for (const { error, retried } of this.#boundaries)
      must(retried === recoveries, () => `a boundary of ${text(error)} was retried ${retried} times, not ${recoveries}`)
  }

  /** How often boundaries had to retry. */
  get #recoveries(): number {
    return this.#asked.online + this.#resets
  }

  #noteAsking(type: 'focus' | 'online'): void {
    const { clock, collects, controller, endpoints, mounts, model, polls, program, server } = this.#world
    if (type === 'focus') must(clock.mono() - this.#last >= THROTTLE, 'it is asked again before its time')
    this.#last = clock.mono()
    if (type === 'online') this.#lastOnline = clock.mono()
    this.#asked[type]++
    // What shows rows whose own answer was collected is as old as they are.
    const isRenewed = (target: Target): boolean =>
      collects && controller.getResponse(endpoints.of(target.read), ...argsOf(target)).expiresAt > clock.now()
    // While edits are pending, what they hide may wait for them; polls look after their keys themselves.
    const isSure = polls.length === 0 && !server.open.some(({ call }) => call.type === 'edit')
    for (const { target, shown, isOfDeleted } of isSure ? mounts : []) {
      if (isOfDeleted) continue
      const isMissing = shown.status === 'failed' && model.show(target) === undefined && shown.data === undefined
      const isStale =
        shown.status === 'ready' && model.isOver(target, program.traits.dataExpiryLength) && !isRenewed(target)
      if (target.read !== 'page' && (isStale || (type === 'online' && isMissing))) this.#wanted.push(target)
    }
    model.expired()
  }

  #checkWanted({ do: how }: Command): void {
    const { server, program } = this.#world
    const wanted = this.#wanted
    this.#wanted = []
    // Requests end that take too long.
    if (program.traits.timeout !== undefined && how === 'advance') return
    for (const target of wanted) {
      const isAsked = server.open.some(({ call }) => call.type === 'read' && same(call.target, target))
      must(isAsked, () => `${text(target)} was not asked for when the user or the network came back`)
    }
  }
}
