import type { Network } from '../engine/network.js'
import type { Polling } from '../engine/polling.js'
import type { Store } from '../engine/store.js'
import type { Env } from '../util/env.js'
import type { Watchers } from './watchers.js'

/** What everything of one controller works with. */
export interface Desk {
  readonly env: Env
  readonly store: Store
  readonly network: Network
  /** Made by the first observer that polls. */
  polling: Polling | undefined
  readonly watchers: Watchers
  /** True where nothing stays mounted: no timers, no subscriptions, and no clock is read while rendering. */
  readonly isServer: boolean
  /** True if a server renders by it, whether that was said or not: nobody stays to see data replaced that is out of date. */
  readonly isRendering: boolean
  /** The clocks as reads look at them: they stand still on a server. */
  readonly clock: Pick<Env, 'now' | 'mono'>
  /** What reads end with once the controller was disposed: from then on nothing is asked for. */
  readonly closed: Error | undefined
  /** Something may be of no more use from now on. */
  release(): void
  /** Takes an error that no promise of a caller carries. */
  report(error: Error): void
  /** The same listener, which throws no more: what it throws is reported. The same one again for the same listener. */
  guarded<Args extends readonly unknown[]>(listener: (...args: Args) => void): (...args: Args) => void
  /** Tells a developer something, once. */
  warn(message: string): void
}
