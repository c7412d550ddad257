import { Polling } from '../engine/polling.js'
import type { ObserverKind } from './observer.js'
import type { RoleMaker } from './registry.js'

const makeRole: RoleMaker<undefined> = (runtime, endpoint, args, key) => ({
  show: () => undefined,
  start() {
    const { pollFrequency, schema } = endpoint
    if (pollFrequency === undefined) {
      if (process.env.NODE_ENV !== 'production') {
        runtime.warn(`${key} is subscribed to but has no pollFrequency: it is never polled. Add one.`)
      }
      return () => {}
    }
    runtime.polling ??= new Polling(runtime.env)
    const run = (): Promise<boolean> =>
      new Promise((resolve) => {
        const settle = (): void => resolve(true)
        // A poll that fails leaves what is on the screen.
        const fail = (): void => resolve(false)
        runtime.network.join({ endpoint, args, key }, { settle, fail, isPoll: true, joinsAny: true })
      })
    return runtime.polling.add(
      { key, run, lastStart: () => runtime.store.entry(key, schema).requestedAt },
      pollFrequency,
    )
  },
})

/**
 * The kind of observer for `controller.observe` that polls an endpoint every `pollFrequency` ms while it has subscribers.
 *
 * @remarks
 * `useLive` and `useSubscription` use it. A bundle without these three contains no polling code.
 *
 * @example
 * ```ts
 * const stop = controller.observe(poll, getTicker, { product: 'BTC' }).subscribe(() => {})
 * ```
 */
export const poll: ObserverKind<undefined> = makeRole
