import type { EndpointData, LiveQuery, QuerySnapshot, ReadEndpoint } from '@roundtable/core'
import { getAllContexts } from 'svelte'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/** The result of `useDLE`: data, loading or error; data and error if a refetch failed; none of them if the arguments are null. */
export interface DLE<Data> {
  readonly data: Data | undefined
  readonly loading: boolean
  readonly error: Error | undefined
  /**
   * True while a request is in flight and something is shown. Only what reads it runs again when it changes: a poll that returns the
   * same data runs nothing else.
   */
  readonly refreshing: boolean
  /** Sends one request, or joins one that started after the last mutation settled. Never rejects. */
  readonly refetch: () => Promise<void>
}

/**
 * Returns the data of an endpoint, whether it is loading, its error, whether it is refreshing, and `refetch`. Fetches missing or
 * stale data, and updates when it changes.
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
  let last: LiveQuery<unknown> | undefined
  const query = (): LiveQuery<unknown> => {
    const given: LiveQuery<unknown> = controller.queryOrError(endpoint, ...argsOf(args))
    // A query that shows what was there before takes over from the one that this reader has used until now.
    last = given.after?.(last) ?? given
    return last
  }
  return dleOf(query, useObserver(query))
}

/** What is known of a query, read where it is used. */
export function dleOf(query: () => LiveQuery<unknown>, given: () => QuerySnapshot<unknown>): DLE<unknown> {
  const fetching = useObserver(() => query().fetching)
  const shown = (): QuerySnapshot<unknown> => {
    if (process.env.NODE_ENV !== 'production') warnOfSetup()
    return given()
  }
  return {
    get data() {
      return shown().data
    },
    get loading() {
      return shown().loading
    },
    get error() {
      return shown().error
    },
    get refreshing() {
      // Read to run the reader again when a request starts or ends.
      void fetching()
      return shown().refreshing
    },
    refetch: () => query().refetch(),
  }
}

let hasWarned = false

/** In development: warns once of a read while a component is set up, as by destructuring, since it never updates. */
function warnOfSetup(): void {
  if (hasWarned || $effect.tracking() || !isSettingUp() || !isClient()) return
  hasWarned = true
  console.warn(
    'The result of useDLE was read in the script of a component, as `const { data } = useDLE(…)` does: that never updates, and fetches ' +
      'nothing. Keep the object, and read it in the template, a $derived or an $effect: `const todo = useDLE(…)`, then `todo.data`.',
  )
}

function isSettingUp(): boolean {
  try {
    // Only there does a component have contexts.
    getAllContexts()
    return true
  } catch {
    return false
  }
}

/** Effects run on a client only: what a server renders reads in scripts alone. */
function isClient(): boolean {
  let runs = false
  $effect.root(() => {
    runs = true
  })()
  return runs
}
