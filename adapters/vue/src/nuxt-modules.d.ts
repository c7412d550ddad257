// Users install Nuxt themselves. These two packages have its types.
declare module 'nuxt/kit' {
  export * from '@nuxt/kit'
}
declare module 'nuxt/schema' {
  export * from '@nuxt/schema'
}
