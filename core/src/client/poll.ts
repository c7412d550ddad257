import type { EndpointInterface } from '../endpoint/options.js'
import { Polling, type PollTask } from '../engine/polling.js'
import { Microtask } from '../util/microtask.js'
import type { Desk } from './desk.js'
import type { Observer } from './observer.js'
import type { ObserverKind } from './observers.js'

/**
 * Polls an endpoint every `pollFrequency` ms while somebody subscribes: for `controller.observe`.
 *
 * @remarks
 * `useLive` and `useSubscription` poll with it. A program that imports none of the three does not load the code of polling.
 *
 * @example
 * ```ts
 * const stop = controller.observe(poll, getTicker, { product: 'BTC' }).subscribe(() => {})
 * ```
 */
export const poll: ObserverKind<undefined> = (desk, endpoint, args, key) => {
  desk.polling ??= new Polling(desk.env)
  return new PollObserver(desk, endpoint, args, key)
}

/** Polls a key while somebody subscribes. */
class PollObserver implements Observer<undefined> {
  readonly #desk: Desk
  readonly #endpoint: EndpointInterface
  readonly #task: PollTask
  #subscribers = 0
  /** Decided in a microtask, as frameworks may subscribe twice and leave once. */
  readonly #life: Microtask = new Microtask(() => (this.#subscribers > 0 ? this.#start() : this.#end()))
  #stop: (() => void) | undefined = undefined

  constructor(desk: Desk, endpoint: EndpointInterface, args: readonly unknown[], key: string) {
    this.#desk = desk
    this.#endpoint = endpoint
    this.#task = {
      key,
      run: () =>
        new Promise((resolve) => {
          desk.network.board(
            // A poll that fails leaves what is on the screen.
            endpoint,
            args,
            key,
            {
              land: () => resolve(true),
              fail: () => resolve(false),
              signal: undefined,
              isPoll: true,
              dispose: () => {},
            },
            true,
          )
        }),
      lastStart: () => desk.store.entry(key, endpoint.schema).asked,
    }
  }

  /** As a controller's. */
  get __v_skip(): true {
    return true
  }

  getSnapshot(): undefined {
    return undefined
  }

  subscribe(): () => void {
    if (this.#desk.isServer || this.#desk.closed) return () => {}
    this.#subscribers++
    this.#life.ask()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#subscribers--
      this.#life.ask()
    }
  }

  #start(): void {
    const { pollFrequency } = this.#endpoint
    if (this.#stop !== undefined) return
    if (pollFrequency === undefined) {
      if (process.env.NODE_ENV !== 'production') {
        this.#desk.warn(`${this.#task.key} is subscribed to but has no pollFrequency: it is never polled. Add one.`)
      }
      return
    }
    this.#stop = this.#desk.polling?.add(this.#task, pollFrequency)
  }

  #end(): void {
    this.#stop?.()
    this.#stop = undefined
  }
}
