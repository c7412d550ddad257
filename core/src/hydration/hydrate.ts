import type { Controller } from '../client/controller.js'
import { hostOf } from '../client/registry.js'
import { HydrationError } from '../util/errors.js'
import { hydrationOf } from './hydration.js'
import { type ReadState, readState } from './read-state.js'
import { Rendered } from './rendered.js'
import type { Dehydrated } from './state.js'

/** The options of `hydrate`. */
export interface HydrateOptions {
  /**
   * The `buster` of `dehydrate`.
   *
   * @default ''
   */
  readonly buster?: string | undefined
  /**
   * Parses a state that is text: the counterpart of `stringify` in `toScript`.
   *
   * @default JSON.parse
   */
  readonly parse?: ((text: string) => unknown) | undefined
  /**
   * How long the state was stored elsewhere, in ms, such as by a CDN or as a static page; with Infinity, everything
   * is shown and refetched.
   *
   * @default 0
   */
  readonly age?: number | undefined
  /**
   * The result of `requestMark` before the state was requested, such as at a navigation. The state then counts as a read
   * that started at that moment, and replaces data that was loaded or changed here before.
   *
   * @default 0, before everything that happens here
   */
  readonly since?: number | undefined
  /**
   * True while a component renders: only missing data is added. Hydrate again without it in an effect, since an abandoned
   * render must not change the screen.
   *
   * @default false
   */
  readonly isRendering?: boolean | undefined
}

/**
 * Adds the state of a server to a controller. It counts as a read that started before anything local, so newer data, pending
 * optimistic changes and the results of mutations stay. Readers are notified once. With undefined it does nothing.
 *
 * @remarks
 * A state that cannot be used, because it is damaged or of another version or `buster`, changes nothing: `onError` receives
 * a `HydrationError`.
 *
 * @returns the controller
 * @example
 * ```ts
 * const controller = hydrate(new Controller(), fromDocument())
 * ```
 */
export function hydrate<C extends Controller>(
  controller: C,
  state: Dehydrated | string | undefined,
  { buster = '', parse = JSON.parse, age, since, isRendering }: HydrateOptions = {},
): C {
  if (state === undefined) return controller
  const host = hostOf(controller)
  try {
    const read = (): ReadState => readState(typeof state === 'string' ? parse(state) : state, buster)
    const hydration = hydrationOf(host)
    hydration.rendered ??= new Rendered(host, hydration)
    hydration.add(state, { read, age, since, isRendering })
  } catch (cause) {
    host.runtime.report(cause instanceof HydrationError ? cause : new HydrationError('cannot be read', { cause }))
  }
  return controller
}

/**
 * Returns a mark of this moment. Call it before a state is requested and pass it to `hydrate` as `since`: the state then
 * replaces older data, while later responses and changes stay.
 *
 * @example
 * ```ts
 * const controller = new Controller()
 * const since = requestMark(controller)
 * const response = await fetch('/todos/state')
 * hydrate(controller, await response.text(), { since })
 * ```
 */
export function requestMark(controller: Controller): number {
  return hostOf(controller).runtime.store.sequence.now
}
