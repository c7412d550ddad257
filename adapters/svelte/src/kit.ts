import { Controller, type ControllerOptions } from '@roundtable/core'
import { type DehydrateOptions, dehydrate, toScript } from '@roundtable/core/hydration'
import type { RequestEvent } from '@sveltejs/kit'
import { building } from '$app/environment'
import { getRequestEvent } from '$app/server'
import type { SentState } from './kit-state.svelte.js'

export { type SentState, useHydrated } from './kit-state.svelte.js'

/**
 * Creates the controller of one request, in `handle` of `hooks.server.ts`, and puts it into `event.locals.controller`. The
 * controller uses `event.fetch`, with which paths are those of the application, requests have the user's cookies, and
 * `handleFetch` is called.
 *
 * @example
 * ```ts
 * import { createRequestController, withState } from '@roundtable/svelte/kit'
 * import type { Handle } from '@sveltejs/kit'
 *
 * export const handle: Handle = ({ event, resolve }) => {
 *   const controller = createRequestController(event)
 *   return resolve(event, { transformPageChunk: ({ html }) => withState(html, controller) })
 * }
 * ```
 */
export function createRequestController(event: RequestEvent, options: ControllerOptions = {}): Controller {
  const controller = new Controller({ transport: transportOf(event), ...options, server: true })
  localsOf(event).controller = controller
  return controller
}

/**
 * Returns the HTML of a page with the state of a controller at the end of its head. A chunk without the end of the head
 * stays unchanged.
 *
 * @example withState('<head></head><body></body>', new Controller({ server: true }))
 */
export function withState(html: string, controller: Controller, options?: DehydrateOptions): string {
  // A function, since a replacement text may contain `$&`.
  return html.replace('</head>', () => `${toScript(sent(controller, options))}</head>`)
}

/**
 * Returns the value that a server `load` function passes to `useHydrated`: the state of the request's controller, or
 * undefined if the page's HTML contains it, which is the case unless the browser requests only data.
 *
 * @example
 * ```ts
 * import { stateOf } from '@roundtable/svelte/kit'
 * import type { RequestEvent } from '@sveltejs/kit'
 *
 * export async function load(event: RequestEvent) {
 *   // await event.locals.controller.fetch(getTodo, { id: event.params.id })
 *   return { state: stateOf(event) }
 * }
 * ```
 */
export function stateOf(event: RequestEvent, options?: DehydrateOptions): SentState | undefined {
  // A prerendered page serves requests for HTML and for data.
  return event.isDataRequest || building ? sent(controllerOf(event), options) : undefined
}

/**
 * Returns the controller of a page, for the root layout: on the server that of the request, in the browser a new one with
 * the state in the page.
 *
 * @param _make creates the browser's controller, such as one with managers; the default is `new Controller()`
 * @example
 * ```svelte
 * <script lang="ts">
 *   setController(pageController())
 * </script>
 * ```
 */
export function pageController(_make?: () => Controller): Controller {
  return controllerOf(getRequestEvent())
}

function controllerOf(event: RequestEvent): Controller {
  const { controller } = localsOf(event)
  if (controller !== undefined) return controller
  throw new Error('This request has no controller. Call createRequestController(event) in handle of hooks.server.ts.')
}

/** Returns the locals of an event, whose type applications declare as `App.Locals`. */
function localsOf({ locals }: RequestEvent): { controller?: Controller } {
  return locals
}

function sent(controller: Controller, options?: DehydrateOptions): SentState {
  return dehydrate(controller, { isStatic: building, ...options })
}

/** Matches the source of the global `fetch` that Kit installs while it renders in development. */
const KITS_WARNING = /eagerly during server-side rendering/

/**
 * Kit warns of requests that are not awaited, but the warning also affects its own `event.fetch`. So it is turned off
 * for the rest of a page that has sent a request through its controller.
 */
function transportOf({ fetch }: RequestEvent): ControllerOptions['transport'] {
  const globalFetch = globalThis.fetch
  return (input, init) => {
    // After rendering, Kit restores the value that it found.
    if (process.env.NODE_ENV !== 'production' && KITS_WARNING.test(`${globalThis.fetch}`))
      globalThis.fetch = globalFetch
    return fetch(input, init)
  }
}
