import { addComponent, addImports, addPluginTemplate, defineNuxtModule } from 'nuxt/kit'
import type { NuxtModule } from 'nuxt/schema'
import type { NuxtSettings } from './nuxt-app.js'
import { AUTO_IMPORTS } from './nuxt-imports.js'

/** The options of the Nuxt module, as `roundtable` in `nuxt.config.ts`. */
export interface NuxtOptions extends NuxtSettings {
  /**
   * The path of a file whose default export creates the controller from the options it receives: `(options) => new
   * Controller({ ...options })`. It is called once for each request on the server and once in the browser, and can use
   * Nuxt's composables.
   *
   * @default undefined: `new Controller(options)`
   */
  readonly controller?: string | undefined
}

/**
 * The Nuxt module: it creates a controller per request and sends its data to the browser with the page.
 *
 * @remarks
 * Hooks, `AsyncBoundary` and `ErrorBoundary` need no import; `useError` and `useFetch` do, since Nuxt has its own.
 *
 * @example
 * ```ts
 * export default defineNuxtConfig({ modules: ['@roundtable/vue/nuxt'] })
 * ```
 */
const roundtable: NuxtModule<NuxtOptions> = defineNuxtModule<NuxtOptions>({
  meta: { name: '@roundtable/vue', configKey: 'roundtable', compatibility: { nuxt: '>=3.12.0' } },
  setup({ controller, ...settings }, nuxt) {
    // Built with the application, so that production mode applies and there is one copy.
    nuxt.options.build.transpile.push('@roundtable/core', '@roundtable/vue')
    addImports(AUTO_IMPORTS.map((name) => ({ name, from: '@roundtable/vue' })))
    for (const name of ['AsyncBoundary', 'ErrorBoundary'])
      addComponent({ name, export: name, filePath: '@roundtable/vue' })
    addPluginTemplate({ filename: 'roundtable.mjs', getContents: () => pluginOf(controller, settings) })
  },
})

export default roundtable

/** Returns the code of the application's plugin, since only code that Nuxt builds can import Nuxt's modules. */
function pluginOf(controller: string | undefined, settings: NuxtSettings): string {
  return `import { defineNuxtPlugin, useRequestEvent, useRouter } from '#app'
import { startNuxt } from '@roundtable/vue/nuxt-app'
${controller === undefined ? '' : `import controllerOf from ${JSON.stringify(controller)}\n`}
export default defineNuxtPlugin({
  name: 'roundtable',
  setup(nuxtApp) {
    startNuxt(nuxtApp, ${JSON.stringify(settings)}, {
      ${controller === undefined ? '' : 'controllerOf,'}
      event: useRequestEvent(nuxtApp),
      isPrerendered: import.meta.prerender,
      router: useRouter(),
    })
  },
})
`
}
