import { Controller } from '@roundtable/core'
import type { App } from 'vue'
import { CONTROLLER, PREFETCH } from './controller-key.js'

/** The options of `createDataClient`. */
export interface DataClientOptions {
  /**
   * The controller of the app. Other frameworks on the page may use the same one.
   *
   * @default a new controller, which is disposed when the app unmounts
   */
  readonly controller?: Controller | undefined
  /**
   * True to make a server wait for `useDLE` and `usePages`, as it does for `useSuspense`. Otherwise it renders `loading`,
   * and the browser fetches.
   *
   * @default false
   */
  readonly prefetch?: boolean | undefined
}

/** The plugin that `createDataClient` returns. */
export interface DataClient {
  /** The provided controller, for code outside components. */
  readonly controller: Controller
  /** Called by `app.use`. */
  install(app: App): void
}

/**
 * Creates a Vue plugin that provides a controller to the app.
 *
 * @example
 * ```ts
 * createApp(App).use(createDataClient({ controller: new Controller() })).mount('#app')
 * ```
 */
export function createDataClient({ controller: existing, prefetch }: DataClientOptions = {}): DataClient {
  const controller = existing ?? new Controller({ server: typeof window === 'undefined' })
  return {
    controller,
    install(app) {
      app.provide(CONTROLLER, controller)
      if (prefetch) app.provide(PREFETCH, prefetch)
      if (!existing) endWith(app, controller)
    },
  }
}

/** Vue 3.4 has no `app.onUnmount`. */
function endWith(app: App, controller: Controller): void {
  const unmount = app.unmount
  app.unmount = () => {
    unmount()
    controller.dispose()
  }
}
