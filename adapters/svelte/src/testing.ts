export * from '@roundtable/core/testing'
export { MockResolver, type MockResolverProps } from './testing/mock-resolver.js'
export { type RenderDataRuneOptions, renderDataRune } from './testing/render-data-rune.svelte.js'
