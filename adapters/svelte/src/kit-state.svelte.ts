import type { Controller } from '@roundtable/core'
import { type Dehydrated, type HydrateOptions, hydrate } from '@roundtable/core/hydration'
import { untrack } from 'svelte'
import { useController } from './use-controller.js'

/** The state of a controller, and when the page was made if that was in advance. */
export interface SentState extends Dehydrated {
  /** Unix ms. */
  readonly madeAt?: number
}

/**
 * Adds the state that a `load` function of the server has returned by `stateOf` to the provided controller: this component and those inside
 * find their data at the first render.
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
  // What is missing before the first read; what is on the screen changes only if the component is shown.
  hydrateSent(controller, state(), { isRendering: true })
  $effect.pre(() => {
    const given = state()
    untrack(() => hydrateSent(controller, given))
  })
}

/** Hydrates a state, which is as old as the page if that was made in advance. */
export function hydrateSent(
  controller: Controller,
  state: SentState | string | null | undefined,
  options?: HydrateOptions,
): void {
  const madeAt = typeof state === 'object' ? state?.madeAt : undefined
  // By two clocks: a few minutes matter little to what was made with the application.
  const age = madeAt === undefined ? 0 : Math.max(0, Date.now() - madeAt)
  hydrate(controller, state ?? undefined, { ...options, age })
}
