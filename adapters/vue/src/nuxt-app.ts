import { Controller, type ControllerOptions, type Transport } from '@roundtable/core'
import { type Dehydrated, dehydrate, hydrate } from '@roundtable/core/hydration'
import type { App } from 'vue'
import { createDataClient } from './data-provider.js'
import { serverErrors } from './server-errors.js'

/** The options in the configuration of Nuxt that the application gets. */
export interface NuxtSettings {
  /**
   * Headers of the page's request that are sent with requests of the server to paths, such as `/api/todos`. The API then knows the user.
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
   * True if the server does not wait for `useDLE` and `usePages`: it renders `loading`, and the browser fetches. `useSuspense` always waits.
   *
   * @default false
   */
  readonly lazy?: boolean | undefined
}

/** The part of Nuxt's application that is used. */
export interface NuxtApp {
  readonly vueApp: App
  readonly payload: { readonly data: Record<string, unknown> }
  readonly static: { readonly data: Record<string, unknown> }
  hook(name: 'app:rendered', work: () => void): unknown
}

/** The part of a request to a server of Nuxt that is used. */
export interface NuxtEvent {
  readonly context: unknown
  readonly node: { readonly req: { readonly headers: Readonly<Record<string, string | string[] | undefined>> } }
}

/** Defined only in code that Nuxt builds. */
export interface NuxtSurroundings {
  /** Makes the controller; without it, `new Controller(options)`. */
  readonly controllerOf?: ((options: ControllerOptions) => Controller) | undefined
  /** The request that is answered; undefined in a browser. */
  readonly event?: NuxtEvent | undefined
  /** True if the page is made in advance. */
  readonly isPrerendered?: boolean | undefined
  readonly router: { beforeResolve(guard: () => void): unknown }
}

/** The key of the state in Nuxt's payload, which is sent also if pages are made in advance. */
const KEY = 'roundtable'

/**
 * Provides a controller to the application, per request or in the browser, and transfers the state from the server to
 * the browser. The plugin that the
 * module writes calls it.
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
    // Nothing else is stored under this key.
    const state = data[KEY] as Dehydrated | undefined
    delete data[KEY]
    hydrate(controller, state)
  }
  take(nuxtApp.payload.data)
  // Nuxt has loaded the payload of the next page by then, if that was made in advance.
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
    // Nuxt sets it on servers.
    const { $fetch } = globalThis as unknown as NuxtGlobals
    return $fetch.native(url, { ...init, headers, context: event?.context })
  }
}
