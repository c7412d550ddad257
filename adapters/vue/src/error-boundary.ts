import { type ErrorWithStatus, recovery } from '@roundtable/core'
import { defineComponent, h, inject, onErrorCaptured, onScopeDispose, shallowRef, type VNode, watch } from 'vue'
import { CONTROLLER, SERVER_ERRORS } from './controller-key.js'
import { isServerRender } from './use-observer.js'

/** The props of the slot that shows an error. */
export interface ErrorSlotProps {
  readonly error: ErrorWithStatus
  /** Renders the children again and resends each request that failed with this error once. */
  readonly resetErrorBoundary: () => void
}

/** The options of an `ErrorBoundary` for its reset, and its callbacks. */
export interface ResetProps {
  /**
   * Resets the boundary when one of these values changes, such as the id of the shown item.
   *
   * @default []
   */
  readonly resetKeys?: readonly unknown[] | undefined
  /**
   * Called during setup with a function that resets the boundary if it shows an error; returns a function that
   * unsubscribes, which is called before the next `listen`. A router's `afterEach` fits.
   */
  readonly listen?: ((reset: () => void) => () => void) | undefined
  /** Called with each caught error, like `@error`. */
  readonly onError?: ((error: ErrorWithStatus) => void) | undefined
  /** Called when the boundary is reset for any reason, like `@reset`. */
  readonly onReset?: (() => void) | undefined
}

/** The slots of `ErrorBoundary`. */
export interface ErrorBoundarySlots {
  /** The content, replaced by the error if it fails. */
  default?(): VNode[]
  /**
   * Shows the error.
   *
   * @default its message in a `<pre role="alert">`, and a button *Try again*
   */
  error?(props: ErrorSlotProps): VNode[]
}

/** The names of `ResetProps`. */
export const RESET_PROPS = ['resetKeys', 'listen', 'onError', 'onReset'] as const

/**
 * Matches Vue's description of errors that leave nothing to render: words in development, a number in production.
 */
const CANNOT_BE_SHOWN =
  /^(?:setup function|render function|component update|watcher getter|async component loader)$|#runtime-(?:0|1|2|13|15)$/

/**
 * Shows an error in place of content that failed, until it is reset; the reset fetches each key that failed with this
 * error exactly once.
 *
 * @remarks
 * It is reset by `resetErrorBoundary`, by changed `resetKeys`, through `listen`, when the store is emptied, and with
 * `revalidate` when the network is back, if the error is that of a read. It catches errors of setup, reads, render functions,
 * watched getters and loaders of async components. Errors of event handlers, watcher callbacks and lifecycle hooks do not
 * change the page; they are passed on to the next `onErrorCaptured` and to `app.config.errorHandler`. On a server all errors
 * are passed on, unless the app uses `serverErrors`.
 *
 * @example
 * ```vue
 * <ErrorBoundary>
 *   <Todos />
 *   <template #error="{ resetErrorBoundary }">
 *     <button @click="resetErrorBoundary">Try again</button>
 *   </template>
 * </ErrorBoundary>
 * ```
 */
export const ErrorBoundary: new (props: ResetProps) => { $props: ResetProps; $slots: ErrorBoundarySlots } =
  defineComponent(
    function ErrorBoundary(props: ResetProps, { slots }: { slots: ErrorBoundarySlots }) {
      const controller = inject(CONTROLLER, undefined)
      const isServer = isServerRender()
      const caught = shallowRef<ErrorWithStatus>()
      let stopRetry = (): void => {}
      const isRenewed = inject(SERVER_ERRORS, undefined)?.(isServer, (error) => shown(error), props)
      onErrorCaptured((error, _, info) => {
        if (isServer || !CANNOT_BE_SHOWN.test(info)) return
        // The first error is the cause: a component that failed in `setup` may also fail to render.
        if (caught.value) return false
        props.onError?.(error)
        caught.value = error
        stopRetry()
        stopRetry = recovery(controller, error)(reset)
        return false
      })
      const reset = (): void => {
        const error = caught.value
        if (!error) return
        controller?.dropError(error)
        caught.value = undefined
        props.onReset?.()
      }
      watch(
        () => [...(props.resetKeys ?? [])],
        (now, before) => {
          if (now.length !== before.length || now.some((key, index) => !Object.is(key, before[index]))) reset()
        },
      )
      watch(
        () => (isServer ? undefined : props.listen),
        (listen, _, onCleanup) => onCleanup(listen?.(reset) ?? (() => {})),
        { immediate: true },
      )
      onScopeDispose(() => stopRetry())
      const shown = (error: ErrorWithStatus): VNode[] =>
        slots.error?.({ error, resetErrorBoundary: reset }) ?? [
          h('pre', { role: 'alert' }, error.message),
          h('button', { type: 'button', onClick: reset }, 'Try again'),
        ]
      return (): VNode[] | undefined => {
        if (caught.value) return shown(caught.value)
        return isRenewed?.value ? [] : slots.default?.()
      }
    },
    { props: [...RESET_PROPS] },
  )
