// Nuxt itself is installed by its users; these two have its types.
declare module 'nuxt/kit' {
  export * from '@nuxt/kit'
}
declare module 'nuxt/schema' {
  export * from '@nuxt/schema'
}
