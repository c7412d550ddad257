import type { EndpointInterface } from '../endpoint/options.js'
import { checkRead, keyOf } from './given.js'
import type { Role } from './live-observer.js'
import { sourceOf } from './markers/marker.js'
import type { ObserverKind, RetryState } from './observer.js'
import type { KindMaker } from './registry.js'

const NO_FAILURE: RetryState = Object.freeze({ failureCount: 0, failureReason: undefined })

const RETRYING: Role = {
  showsRequests: true,
  show({ shown, flight }) {
    const { failureCount = 0, failureReason } = flight ?? {}
    if (failureCount === 0) return NO_FAILURE
    // This role has shown nothing else before.
    const before = shown as RetryState | undefined
    const isSame = before?.failureCount === failureCount && before.failureReason === failureReason
    return isSame ? before : Object.freeze({ failureCount, failureReason })
  },
}

const makeRetrying: KindMaker<RetryState> = (subject, args) => {
  // `keyOf` refuses what is no endpoint.
  const endpoint = sourceOf(subject as EndpointInterface)
  const key = keyOf(endpoint, args)
  checkRead(endpoint)
  return { role: RETRYING, key, endpoint, args }
}

/**
 * The kind of observer for `controller.observe` that tells how many attempts of a read have failed while `retry` repeats it, and with
 * which error: for "Trying again …" beside a spinner.
 *
 * @example
 * ```ts
 * const attempts = controller.observe(retrying, getTodo, { id: 1 })
 * const stop = attempts.subscribe(() => console.log(attempts.getSnapshot()?.failureCount))
 * ```
 */
export const retrying: ObserverKind<RetryState> = makeRetrying
