import { INVALID, type Schema } from '../schema/schema.js'
import type { Kept } from '../table/refs.js'
import type { ResultView } from '../table/result-view.js'
import type { Desk } from './desk.js'
import { Listeners } from './listeners.js'
import type { Observer } from './observer.js'
import type { Back, Shelved } from './shelf.js'
import type { Watcher } from './watchers.js'

/** What a schema shows for arguments, straight from the table. */
export class Selection implements Observer<unknown>, Watcher, Shelved {
  readonly key = ''
  readonly #desk: Desk
  readonly #back: Back<Selection>
  readonly schema: Schema
  readonly #args: readonly unknown[]
  readonly #listeners: Listeners
  #view: ResultView
  shown: unknown = undefined
  used: number

  constructor(desk: Desk, schema: Schema, args: readonly unknown[], back: Back<Selection>) {
    this.#desk = desk
    this.#back = back
    this.used = desk.clock.mono()
    this.schema = schema
    this.#args = args
    this.#listeners = new Listeners(desk.report)
    this.#view = desk.store.resultView(undefined, schema, args)
    desk.watchers.add(this.#view, this)
  }

  /** As a controller's. */
  get __v_skip(): true {
    return true
  }

  get isHeld(): boolean {
    return this.#listeners.size > 0
  }

  /** What it leads to. */
  root(): Kept {
    return { schema: this.schema, value: this.#desk.store.views.lookupQuietly(this.schema, this.#args) }
  }

  getSnapshot(): unknown {
    this.#return()
    if (!this.isHeld) this.used = this.#desk.clock.mono()
    this.reread()
    return this.shown
  }

  subscribe(onChange: () => void): () => void {
    if (this.#desk.isServer) return () => {}
    this.#return()
    this.reread()
    return this.#listeners.add(onChange, () => {
      this.used = this.#desk.clock.mono()
      this.#desk.release()
    })
  }

  judge(): void {}

  reread(): boolean {
    const shown = this.#desk.store.views.read(this.#view)
    if (this.#view.error !== undefined) this.#desk.report(this.#view.error)
    const next = shown === INVALID || this.#view.error !== undefined ? undefined : shown
    if (next === this.shown) return false
    this.shown = next
    return true
  }

  tell(): void {
    this.#listeners.tell()
  }

  restart(): void {
    this.#desk.watchers.remove(this.#view, this)
    this.#view = this.#desk.store.resultView(undefined, this.schema, this.#args)
    this.#desk.watchers.add(this.#view, this)
  }

  /** Somebody had kept it for longer than what nobody uses is kept. */
  #return(): void {
    if (!this.#view.isGone || this.#desk.closed !== undefined) return
    this.restart()
    this.#back(this)
  }

  dispose(): void {
    this.#desk.watchers.remove(this.#view, this)
    this.#view.isGone = true
  }
}
