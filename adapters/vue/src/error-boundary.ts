import { defineComponent, h, inject, onErrorCaptured, shallowRef, type VNode } from 'vue'
import { CONTROLLER } from './controller-key.js'
import { isServerRender } from './use-observer.js'

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
 * What Vue says of an error without which there would be something to show: in words in development, as the number of its kind in
 * production.
 */
const CANNOT_BE_SHOWN =
  /^(?:setup function|render function|component update|watcher getter|async component loader)$|#runtime-(?:0|1|2|13|15)$/

/**
 * Shows an error in place of what could not be shown, until it is reset: then each key that failed with it is fetched exactly once again.
 *
 * @remarks
 * It catches what setup, a read, a render function, a getter that is watched and the loader of an async component throw. Errors of event
 * handlers, callbacks of watchers and lifecycle hooks leave the page as it is, and go on to the next `onErrorCaptured` and to
 * `app.config.errorHandler`. On a server, where what was rendered cannot be taken back, all errors go on.
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
    const isServer = isServerRender()
    const caught = shallowRef<Error>()
    onErrorCaptured((error, _, info) => {
      if (isServer || !CANNOT_BE_SHOWN.test(info)) return
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
