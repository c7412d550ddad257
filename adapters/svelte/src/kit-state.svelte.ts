import { type Dehydrated, hydrate } from '@roundtable/core/hydration'
import { getContext, untrack } from 'svelte'
import { useController } from './use-controller.js'

/** The state of a controller, as `stateOf` and `dehydrate` return it. */
export type SentState = Dehydrated

/** The context key of the layout's `Loads`. */
export const LOADS: symbol = Symbol.for('@roundtable/svelte/kit')

/** The mark after which the `load` functions of the current page were called. */
export interface Loads {
  since: number
}

/**
 * Adds the state from `stateOf` in a server `load` function to the provided controller, so that this component and
 * those inside have their data at the first render.
 *
 * @remarks It replaces the data of earlier `load` functions, and data that the browser had fetched or changed before
 * the previous navigation. Data that the browser has fetched or changed since then may be newer, and stays.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const { data } = $props()
 *   useHydrated(() => data.state)
 *   const ticker = useDLE(getTicker, { product: 'BTC' })
 * </script>
 *
 * {ticker.data?.price}
 * ```
 */
export function useHydrated(state: () => SentState | undefined): void {
  const controller = useController()
  const loads = getContext<Loads | undefined>(LOADS)
  // Missing data is added before the first read. Visible data changes only after the component was mounted.
  hydrate(controller, state(), { since: loads?.since, isRendering: true })
  $effect.pre(() => {
    const sent = state()
    untrack(() => hydrate(controller, sent, { since: loads?.since }))
  })
}
