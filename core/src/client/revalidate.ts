import { describe } from '../util/describe.js'
import { OptionError } from '../util/errors.js'
import type { Manager } from './controller.js'
import { hostOf, type Registry } from './registry.js'

/** The options of `revalidate`. */
export interface RevalidateOptions {
  /**
   * Revalidates when the page becomes visible, at most once in `throttle` ms. False turns this off.
   *
   * @default { throttle: 5_000 }
   */
  readonly focus?: { readonly throttle?: number | undefined } | false | undefined
  /**
   * Revalidates when the network is back, after a random pause of up to `jitter` ms, so that many pages do not fetch at
   * once. Keys that show errors are fetched again, too. False turns this off.
   *
   * @default { jitter: 1_000 }
   */
  readonly reconnect?: { readonly jitter?: number | undefined } | false | undefined
}

/**
 * Creates a manager that fetches stale data when the user comes back to the page, and when the network is back.
 *
 * @remarks
 * Only mounted readers are revalidated, by the rules for a component that mounts: fresh data is not fetched. Polled keys are
 * left to their polls. The event `focus` is not used, since developer tools and file dialogs cause it, too.
 *
 * @example
 * ```ts
 * const controller = new Controller({ managers: [revalidate({ focus: { throttle: 30_000 } })] })
 * ```
 * @throws OptionError for an invalid or unknown option
 */
export function revalidate(options: RevalidateOptions = {}): Manager {
  checkNames('', options, ['focus', 'reconnect'])
  const throttle = lengthIn('focus', 'throttle', options, 5_000)
  const jitter = lengthIn('reconnect', 'jitter', options, 1_000)
  return {
    start: (controller) => watch(hostOf(controller), throttle, jitter),
  }
}

/** Watches the page. A time that is undefined turns its part off. */
function watch(observers: Registry, throttle: number | undefined, jitter: number | undefined): () => void {
  const { env, isServer } = observers.runtime
  if (isServer) return () => {}
  let isVisible = env.isVisible()
  let isOnline = env.isOnline()
  let timer: unknown
  let last = -Infinity
  /** True if the network came back while the page was hidden. */
  let isDue = false
  const recheck = (retriesErrors: boolean): void => {
    last = env.mono()
    isDue = false
    judgeAgain(observers, retriesErrors ? 'online' : 'focus')
  }
  const reconnected = (): void => {
    if (isVisible) recheck(true)
    else isDue = true
  }
  const stop = env.onChange(() => {
    const [wasVisible, wasOnline] = [isVisible, isOnline]
    isVisible = env.isVisible()
    isOnline = env.isOnline()
    if (!isOnline) env.clearTimeout(timer)
    else if (!wasOnline && jitter !== undefined) timer = env.setTimeout(reconnected, env.random() * jitter)
    if (!isVisible || wasVisible || !isOnline) return
    if (isDue) recheck(true)
    else if (throttle !== undefined && env.mono() - last >= throttle) recheck(false)
  })
  return () => {
    stop()
    env.clearTimeout(timer)
  }
}

/** Judges all mounted readers again. */
function judgeAgain({ runtime, held }: Registry, type: 'focus' | 'online'): void {
  const { store, sources } = runtime
  const live = new Set(sources?.keys)
  const by = runtime.act(type)
  store.batch(() => {
    for (const { isHeld, query, role } of held) {
      if (!isHeld || !role.fetches || query === undefined || live.has(query.key)) continue
      if (type === 'online') query.entry.error = undefined
      query.entry.cause = { type, by }
      store.touch(query.entry, by)
    }
  })
}

/** Returns the time of one part; undefined if the part is turned off. */
function lengthIn(
  part: 'focus' | 'reconnect',
  name: 'throttle' | 'jitter',
  options: RevalidateOptions,
  otherwise: number,
): number | undefined {
  const partOptions: object | false = options[part] ?? {}
  if (partOptions === false) return undefined
  checkNames(`${part}.`, partOptions, [name])
  const { [name]: ms = otherwise } = partOptions as { readonly [Name in typeof name]?: number }
  if (ms >= 0) return ms
  throw new OptionError(`revalidate.${part}.${name}`, `must be 0 or more milliseconds, found ${describe(ms)}.`)
}

function checkNames(where: string, options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue
    throw new OptionError(`revalidate.${where}${name}`, `is unknown. The options are ${names.join(', ')}.`)
  }
}
