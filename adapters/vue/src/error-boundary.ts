import { defineComponent, h, inject, onErrorCaptured, shallowRef, type VNode } from 'vue'
import { CONTROLLER } from './controller-key.js'

/** What the slot that shows an error is given. */
export interface ErrorSlotProps {
  readonly error: Error
  /** Shows the children again; what failed with this error is fetched once more. */
  readonly resetErrorBoundary: () => void
}

/** The slots of `ErrorBoundary`. */
export interface ErrorBoundarySlots {
  /** What may fail. */
  default?(): VNode[]
  /**
   * Shows the error.
   *
   * @default a `<pre role="alert">` with its message
   */
  error?(props: ErrorSlotProps): VNode[]
}

/**
 * Shows an error that was thrown inside, until it is reset: then each key that failed with it is fetched exactly once again.
 *
 * @example
 * ```vue
 * <ErrorBoundary>
 *   <Todos />
 *   <template #error="{ error, resetErrorBoundary }">
 *     <button @click="resetErrorBoundary">{{ error.message }}</button>
 *   </template>
 * </ErrorBoundary>
 * ```
 */
export const ErrorBoundary: new (props: object) => { $props: object; $slots: ErrorBoundarySlots } = defineComponent(
  function ErrorBoundary(_: object, { slots }: { slots: ErrorBoundarySlots }) {
    const controller = inject(CONTROLLER, undefined)
    const caught = shallowRef<Error>()
    onErrorCaptured((error) => {
      // The first one is the reason: what failed to be set up may fail to be rendered too.
      caught.value ??= error
      return false
    })
    return (): VNode | VNode[] | undefined => {
      const error = caught.value
      if (!error) return slots.default?.()
      const resetErrorBoundary = (): void => {
        controller?.dropError(error)
        caught.value = undefined
      }
      return slots.error?.({ error, resetErrorBoundary }) ?? h('pre', { role: 'alert' }, error.message)
    }
  },
)
