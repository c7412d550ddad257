export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  modules: ['@roundtable/vue/nuxt'],
  // Read by server/api; NUXT_API_URL in the environment wins.
  runtimeConfig: { apiUrl: 'http://127.0.0.1:4000' },
  // Made at build time: user-specific content is left to the browser.
  routeRules: { '/static': { prerender: true } },
  experimental: { typedPages: true },
  telemetry: false,
})
