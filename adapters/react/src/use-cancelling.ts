import type { LiveRead, ReadEndpoint } from '@roundtable/core'
import * as React from 'react'
import { argsOf } from './args-of.js'
import type { OrNull } from './reads.js'
import { useController } from './use-controller.js'

/**
 * The endpoint, with requests that are aborted when nobody waits for them any more: those for earlier arguments, and on unmount.
 *
 * @remarks
 * A request that another component waits for too goes on.
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
  // What cannot be asked for is told by whoever reads it.
  const query = useController().queryOrError(cancelling, ...argsOf(args))
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

type Query = LiveRead<unknown>

/** What was rendered last, and what was mounted last. */
interface Last {
  asked: Query
  mounted: Query
}

/** An endpoint that can be copied with other options. */
export interface Extensible {
  extend(options: { readonly abortOnUnused: true }): unknown
}

/**
 * Somebody comes for a moment and leaves, so that the query sees who else is there. A component that suspended is not: it was
 * never mounted, and nothing else would tell that what it asked for is not wanted any more.
 */
function letGo(query: Query): void {
  queueMicrotask(query.subscribe(() => {}))
}
