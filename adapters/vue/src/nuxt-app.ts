import { Controller, type ControllerOptions, type Transport } from '@roundtable/core'
import { type Dehydrated, dehydrate, hydrate } from '@roundtable/core/hydration'
import type { App } from 'vue'
import { createDataClient } from './data-provider.js'
import { serverErrors } from './server-errors.js'

/** The options in Nuxt's configuration that are passed to the application. */
export interface NuxtSettings {
  /**
   * Headers of the page's request that are sent with requests of the server to paths, such as `/api/todos`. The API
   * then knows the user.
   *
   * @default ['accept-language', 'authorization', 'cookie']
   */
  readonly forwardHeaders?: readonly string[] | undefined
  /**
   * Other origins to which these headers are also sent, such as `https://api.example.com`.
   *
   * @default []
   */
  readonly forwardTo?: readonly string[] | undefined
  /**
   * True if the server does not wait for `useDLE` and `usePages`: it renders `loading`, and the browser fetches.
   * `useSuspense` always waits.
   *
   * @default false
   */
  readonly lazy?: boolean | undefined
}

/** The used part of Nuxt's application. */
export interface NuxtApp {
  readonly vueApp: App
  readonly payload: { readonly data: Record<string, unknown> }
  readonly static: { readonly data: Record<string, unknown> }
  hook(name: 'app:rendered', work: () => void): unknown
}

/** The used part of a request to a Nuxt server. */
export interface NuxtEvent {
  readonly context: unknown
  readonly node: { readonly req: { readonly headers: Readonly<Record<string, string | string[] | undefined>> } }
}

/** Defined only in code that Nuxt builds. */
export interface NuxtSurroundings {
  /** Creates the controller; the default is `new Controller(options)`. */
  readonly controllerOf?: ((options: ControllerOptions) => Controller) | undefined
  /** The current request; undefined in a browser. */
  readonly event?: NuxtEvent | undefined
  /** True if the page is prerendered. */
  readonly isPrerendered?: boolean | undefined
  readonly router: { beforeResolve(guard: () => void): unknown }
}

/** The key of the state in Nuxt's payload, which prerendered pages also contain. */
const KEY = 'roundtable'

/**
 * Provides a controller to the application, per request or in the browser, and transfers the state from the server to
 * the browser. The plugin that the module writes calls it.
 *
 * @example
 * ```ts
 * declare const nuxtApp: NuxtApp
 * declare const router: NuxtSurroundings['router']
 * startNuxt(nuxtApp, { lazy: true }, { router })
 * ```
 */
export function startNuxt(
  nuxtApp: NuxtApp,
  settings: NuxtSettings,
  { controllerOf = (options) => new Controller(options), event, isPrerendered, router }: NuxtSurroundings,
): void {
  const isServer = typeof window === 'undefined'
  const controller = controllerOf(isServer ? { server: true, transport: transportOf(event, settings) } : {})
  nuxtApp.vueApp.use(createDataClient({ controller, prefetch: !settings.lazy })).use(serverErrors)
  if (isServer) {
    nuxtApp.hook('app:rendered', () => {
      nuxtApp.payload.data[KEY] = dehydrate(controller, { isStatic: isPrerendered })
    })
    return
  }
  const take = (data: Record<string, unknown>): void => {
    // Only a state is stored under this key.
    const state = data[KEY] as Dehydrated | undefined
    delete data[KEY]
    hydrate(controller, state)
  }
  take(nuxtApp.payload.data)
  // By then, Nuxt has loaded the payload of the next page if that was prerendered.
  router.beforeResolve(() => take(nuxtApp.static.data))
}

/** Nuxt's function for requesting a path of its own server without the network. */
interface NuxtGlobals {
  readonly $fetch: { readonly native: (path: string, init: RequestInit & { context: unknown }) => Promise<Response> }
}

/** Sends requests with headers of the page's request. */
function transportOf(
  event: NuxtEvent | undefined,
  { forwardHeaders = ['accept-language', 'authorization', 'cookie'], forwardTo = [] }: NuxtSettings,
): Transport {
  return (input, init) => {
    const url = String(input)
    const isOwn = url.startsWith('/')
    const headers = new Headers(init.headers)
    if (isOwn || forwardTo.includes(new URL(url).origin)) {
      for (const name of forwardHeaders) {
        const value = event?.node.req.headers[name.toLowerCase()]
        if (typeof value === 'string' && !headers.has(name)) headers.set(name, value)
      }
    }
    if (!isOwn) return fetch(input, { ...init, headers })
    // Nuxt defines the global on servers.
    const { $fetch } = globalThis as unknown as NuxtGlobals
    return $fetch.native(url, { ...init, headers, context: event?.context })
  }
}
