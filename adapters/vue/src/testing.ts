export * from '@roundtable/core/testing'
export { MockResolver, type MockResolverProps } from './testing/mock-resolver.js'
export { type RenderDataComposeOptions, renderDataCompose } from './testing/render-data-compose.js'
