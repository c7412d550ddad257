import { Controller } from '@roundtable/core'
import type { App } from 'vue'
import { CONTROLLER } from './controller-key.js'

/** What `createDataClient` takes. */
export interface DataClientOptions {
  /**
   * The controller that the app shares; it may be shared with other frameworks on the page.
   *
   * @default one of its own, which is disposed when the app unmounts
   */
  readonly controller?: Controller | undefined
}

/** A plugin that provides a controller. */
export interface DataClient {
  /** What it provides. */
  readonly controller: Controller
  /** Called by `app.use`. */
  install(app: App): void
}

/**
 * Provides a controller to the app.
 *
 * @example
 * ```ts
 * createApp(App).use(createDataClient({ controller: new Controller() })).mount('#app')
 * ```
 */
export function createDataClient({ controller: given }: DataClientOptions = {}): DataClient {
  const controller = given ?? new Controller({ server: typeof window === 'undefined' })
  return {
    controller,
    install(app) {
      app.provide(CONTROLLER, controller)
      if (!given) endWith(app, controller)
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
