import { defineComponent, h, Suspense, type VNode } from 'vue'
import { ErrorBoundary, type ErrorBoundarySlots } from './error-boundary.js'

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
export const AsyncBoundary: new (props: object) => { $props: object; $slots: AsyncBoundarySlots } = defineComponent(
  function AsyncBoundary(_: object, { slots }: { slots: AsyncBoundarySlots }) {
    // The boundary is outside, so that a reset suspends again.
    // Called by functions of our own: of compiled slots that are handed on Suspense expects a list of what may change in them, gets an
    // empty one, and nothing below their root is updated.
    const inner = (): VNode =>
      h(Suspense, null, { default: () => slots.default?.(), fallback: () => slots.fallback?.() })
    return (): VNode => h(ErrorBoundary, null, { ...slots, default: inner })
  },
)
