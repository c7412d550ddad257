import type { EndpointInterface } from '../endpoint/options.js'
import { freshness } from '../freshness.js'
import type { Desk } from './desk.js'
import { KeyView } from './key-view.js'
import { Listeners } from './listeners.js'
import type { Observer } from './observer.js'
import type { Back, Shelved } from './shelf.js'
import type { Watcher } from './watchers.js'

/** What a key shows, for those who never fetch it. */
export class Peek implements Observer<unknown>, Watcher, Shelved {
  readonly #desk: Desk
  readonly #back: Back<Peek>
  readonly #at: KeyView
  readonly #listeners: Listeners
  #mayShow: boolean | undefined = undefined
  /** Whether there was data when that was judged. */
  #hadData = false
  shown: unknown = undefined

  constructor(desk: Desk, endpoint: EndpointInterface, args: readonly unknown[], key: string, back: Back<Peek>) {
    this.#desk = desk
    this.#back = back
    this.#at = new KeyView(desk, endpoint, args, key)
    this.#listeners = new Listeners(desk.report)
    desk.watchers.add(this.#at.view, this)
  }

  get key(): string {
    return this.#at.key
  }

  get schema(): unknown {
    return this.#at.endpoint.schema
  }

  /** As a controller's. */
  get __v_skip(): true {
    return true
  }

  get isHeld(): boolean {
    return this.#listeners.size > 0
  }

  get used(): number {
    return this.#at.entry.used
  }

  get view(): KeyView {
    return this.#at
  }

  renew(endpoint: EndpointInterface, args: readonly unknown[]): void {
    this.#at.endpoint = endpoint
    this.#at.args = args
  }

  getSnapshot(): unknown {
    this.#return()
    if (!this.isHeld) {
      this.#at.entry.used = this.#desk.clock.mono()
      this.judge(false)
    }
    this.reread()
    return this.shown
  }

  subscribe(onChange: () => void): () => void {
    if (this.#desk.isServer) return () => {}
    this.#return()
    if (!this.isHeld) this.judge(false)
    return this.#listeners.add(onChange, () => {
      this.#at.entry.used = this.#desk.clock.mono()
      this.#desk.release()
    })
  }

  judge(hasArrived: boolean): void {
    if (hasArrived) this.#at.retry()
    const facts = this.#at.facts(hasArrived)
    this.#mayShow = freshness(facts, this.#desk.clock.now()).show === 'data'
    this.#hadData = facts.hasData
    // What it stands on may come again as it was: then nothing but the next commit tells.
    if (facts.hasData && !this.#mayShow && this.isHeld) this.#desk.watchers.postpone(this)
  }

  reread(): boolean {
    const data = this.#at.data()
    if (this.#mayShow === undefined || this.#hadData !== (data !== undefined)) this.judge(false)
    const next = this.#mayShow ? data : undefined
    if (next === this.shown) return false
    this.shown = next
    return true
  }

  tell(): void {
    this.#listeners.tell()
  }

  restart(): void {
    this.#desk.watchers.remove(this.#at.view, this)
    this.#at.rebind()
    this.#desk.watchers.add(this.#at.view, this)
    this.judge(false)
  }

  /** Somebody had kept it for longer than what nobody uses is kept. */
  #return(): void {
    if (!this.#at.view.isGone || this.#desk.closed !== undefined) return
    this.restart()
    this.#back(this)
  }

  dispose(): void {
    this.#desk.watchers.remove(this.#at.view, this)
    this.#at.view.isGone = true
  }
}
