import {
  type EndpointData,
  type ErrorWithStatus,
  follower,
  type LiveQuery,
  type QueryMembers,
  type QuerySnapshot,
  type ReadEndpoint,
  type RetryState,
} from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull } from './reads.js'
import { isSettingUp, useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * The result of `useDLE`: data, loading or error; data and error if a refetch failed; none of them if the arguments are
 * null.
 */
export interface DLE<Data> extends QueryMembers {
  readonly data: Data | undefined
  readonly error: ErrorWithStatus | undefined
}

/**
 * Returns the data of an endpoint, whether it is loading, its error, whether it is refreshing, and `refetch`. Fetches
 * missing or stale data, and updates when it changes.
 *
 * @remarks
 * Arguments are values, or a thunk of them. Never throws: invalid calls, such as arguments that make no URL, are reported in
 * `error`. If a refetch fails, the previous data stays in `data`. With null instead of arguments nothing is fetched. Do not
 * destructure the result: `const { data } = …` never updates.
 *
 * @example
 * ```ts
 * const todo = useDLE(getTodo, () => [{ id }])
 * const title = $derived(todo.data?.title)
 * ```
 */
export function useDLE<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): DLE<EndpointData<E>>
export function useDLE(endpoint: ReadEndpoint, ...args: readonly unknown[]): DLE<unknown> {
  const controller = useController()
  const follow = follower()
  const query = noted(() => follow(controller.watchOrError(endpoint, ...argsOf(args))))
  return dleOf(query, useObserver(query))
}

/** Returns the fields of a query, read on access. */
export function dleOf(query: () => LiveQuery<unknown>, snapshot: () => QuerySnapshot<unknown>): DLE<unknown> {
  const shown = (): QuerySnapshot<unknown> => {
    if (process.env.NODE_ENV !== 'production') warnOfSetup()
    return snapshot()
  }
  return withMembers(query, shown, {
    get data() {
      return shown().data
    },
    get loading() {
      return shown().loading
    },
  })
}

/** Adds the members that all reads share to `own`, which shows the data and `loading`. */
export function withMembers<Own extends object>(
  query: () => LiveQuery<unknown>,
  shown: () => QuerySnapshot<unknown>,
  own: Own,
): Own & Pick<DLE<unknown>, 'error' | 'refetch' | 'refreshing' | keyof RetryState> {
  const fetching = useObserver(() => query().fetching)
  // This read makes the reader run again when a request starts, fails or ends.
  const requested = (): QuerySnapshot<unknown> => {
    void fetching()
    return shown()
  }
  const members = {
    get error() {
      return shown().error
    },
    get refreshing() {
      return requested().refreshing
    },
    get failureCount() {
      return requested().failureCount
    },
    get failureReason() {
      return requested().failureReason
    },
    refetch: () => query().refetch(),
  }
  // A spread would not copy getters.
  return Object.defineProperties(members, Object.getOwnPropertyDescriptors(own)) as Own & typeof members
}

let hasWarned = false
let hasWarnedOfUnused = false

/** In development: warns once if a component is destroyed without using a reader, which has then fetched nothing. */
export function noted<Query>(query: () => Query): () => Query {
  if (process.env.NODE_ENV === 'production' || !isSettingUp()) return query
  let isUsed = false
  $effect(() => () => {
    if (isUsed || hasWarnedOfUnused) return
    hasWarnedOfUnused = true
    console.warn(
      'A component was destroyed without reading the result of its useDLE or usePages, so nothing was fetched: data is fetched where it is read. ' +
        'To fetch data for another component, call controller.fetchIfStale(endpoint, …).',
    )
  })
  return () => {
    isUsed = true
    return query()
  }
}

/** In development: warns once of a read during the setup of a component, such as destructuring, since it never updates. */
function warnOfSetup(): void {
  if (hasWarned || $effect.tracking() || !isSettingUp() || !isClient()) return
  hasWarned = true
  console.warn(
    'The result of useDLE was read in the script of a component, as in `const { data } = useDLE(…)`: it never updates, and fetches ' +
      'nothing. Keep the object, and read it in the template, a $derived or an $effect: `const todo = useDLE(…)`, then `todo.data`.',
  )
}

/** True on a client, where effects run. On a server, reads in scripts are correct. */
function isClient(): boolean {
  let runs = false
  $effect.root(() => {
    runs = true
  })()
  return runs
}
