import { type Dehydrated, hydrate } from '@roundtable/core/hydration'
import { getContext, untrack } from 'svelte'
import { useController } from './use-controller.js'

/** The state of a controller, as `stateOf` and `dehydrate` return it. */
export type SentState = Dehydrated

/** Under which the page's layout provides its `Loads`. */
export const LOADS: symbol = Symbol.for('@roundtable/svelte/kit')

/** The `load` functions whose data is shown now were called after this mark. */
export interface Loads {
  since: number
}

/**
 * Adds the state from `stateOf` in a server `load` function to the provided controller, so that this component and
 * those inside have their data at the first render.
 *
 * @remarks It replaces the data of earlier `load` functions, and data that the browser had fetched or changed before the previous
 * navigation. What the browser fetched or changed since then may be newer, and stays.
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
  // Missing data before the first read; the data on the screen changes only if the component is shown.
  hydrate(controller, state(), { since: loads?.since, isRendering: true })
  $effect.pre(() => {
    const sent = state()
    untrack(() => hydrate(controller, sent, { since: loads?.since }))
  })
}
