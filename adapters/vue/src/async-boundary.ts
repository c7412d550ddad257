import { defineComponent, h, Suspense, type VNode } from 'vue'
import { ErrorBoundary, type ErrorBoundarySlots, RESET_PROPS, type ResetProps } from './error-boundary.js'

/** The slots of `AsyncBoundary`. */
export interface AsyncBoundarySlots extends ErrorBoundarySlots {
  /**
   * Shown while a component inside is pending.
   *
   * @default nothing
   */
  fallback?(): VNode[]
}

/**
 * Combines `Suspense` and `ErrorBoundary`: shows a fallback while components inside load, and an error if one fails.
 *
 * @example
 * ```vue
 * <AsyncBoundary>
 *   <Todos />
 *   <template #fallback><Spinner /></template>
 * </AsyncBoundary>
 * ```
 */
export const AsyncBoundary: new (props: ResetProps) => { $props: ResetProps; $slots: AsyncBoundarySlots } =
  defineComponent(
    function AsyncBoundary(props: ResetProps, { slots }: { slots: AsyncBoundarySlots }) {
      // The boundary is outside, so that a reset suspends again. The slots are wrapped in functions of our own: Suspense
      // expects compiled slots to list their dynamic parts, and would update nothing below the root of passed-on slots,
      // whose lists are empty.
      const inner = (): VNode =>
        h(Suspense, null, { default: () => slots.default?.(), fallback: () => slots.fallback?.() })
      return (): VNode => h(ErrorBoundary, { ...props }, { ...slots, default: inner })
    },
    { props: [...RESET_PROPS] },
  )
