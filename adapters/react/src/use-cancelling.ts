import type { LiveQuery, ReadEndpoint } from '@roundtable/core'
import * as React from 'react'
import { argsOf } from './args-of.js'
import type { OrNull } from './reads.js'
import { useController } from './use-controller.js'

/**
 * Returns a copy of the endpoint that aborts a request when no component waits for it any more: after the arguments
 * change, and on unmount.
 *
 * @remarks
 * A request that another component waits for is not aborted. Memoized by the endpoint.
 *
 * @example
 * ```tsx
 * const found = useSuspense(useCancelling(search, { query }), { query })
 * ```
 */
export function useCancelling<E extends ReadEndpoint & Extensible, First = never>(
  endpoint: E,
  ...args: OrNull<Parameters<E>, First>
): E {
  const cancelling = React.useMemo(
    () => (typeof endpoint?.key === 'function' ? (endpoint.extend({ abortOnUnused: true }) as E) : endpoint),
    [endpoint],
  )
  // The reader of the endpoint reports invalid calls.
  const query = useController().watchOrError(cancelling, ...argsOf(args))
  const last = React.useRef<Last>({ asked: query, mounted: query }).current
  React.useEffect(() => {
    last.mounted = query
  }, [last, query])
  if (query !== last.asked && query !== last.mounted) {
    letGo(last.asked)
    last.asked = query
  }
  return cancelling
}

type Query = LiveQuery<unknown>

/** The query of the last render, and of the last mount. */
interface Last {
  asked: Query
  mounted: Query
}

/** An endpoint with `extend`, which `useCancelling` needs. */
export interface Extensible {
  extend(options: { readonly abortOnUnused: true }): unknown
}

/**
 * Subscribes and leaves at once, so that the query checks for other subscribers. A component that suspended was never
 * mounted, so nothing else would report that its request is not needed any more. Does nothing without a request, since a
 * subscription would fetch stale data.
 */
function letGo(query: Query): void {
  if (query.fetching.getSnapshot()) queueMicrotask(query.subscribe(() => {}))
}
