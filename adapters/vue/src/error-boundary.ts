import { defineComponent, h, inject, onErrorCaptured, shallowRef, type VNode } from 'vue'
import { CONTROLLER } from './controller-key.js'
import { isServerRender } from './use-observer.js'

/** The props of the slot that shows an error. */
export interface ErrorSlotProps {
  readonly error: Error
  /** Renders the children again and resends each request that failed with this error once. */
  readonly resetErrorBoundary: () => void
}

/** The slots of `ErrorBoundary`. */
export interface ErrorBoundarySlots {
  /** The content, replaced by the error if it fails. */
  default?(): VNode[]
  /**
   * Shows the error.
   *
   * @default a `<pre role="alert">` with its message
   */
  error?(props: ErrorSlotProps): VNode[]
}

/**
 * Vue's description of errors that leave nothing to render: words in development, the number of the kind in production.
 */
const CANNOT_BE_SHOWN =
  /^(?:setup function|render function|component update|watcher getter|async component loader)$|#runtime-(?:0|1|2|13|15)$/

/**
 * Shows an error in place of content that failed, until it is reset; the reset fetches each key that failed with this error exactly
 * once.
 *
 * @remarks
 * It catches errors of setup, reads, render functions, watched getters and loaders of async components. Errors of event handlers,
 * watcher callbacks and lifecycle hooks do not change the page; they go on to the next `onErrorCaptured` and to
 * `app.config.errorHandler`. On a server all errors go on, because rendered output cannot be taken back.
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
