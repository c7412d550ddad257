export * from '@roundtable/core/testing'
export { MockResolver, type MockResolverProps } from './testing/mock-resolver.js'
export { type RenderDataHookOptions, renderDataHook } from './testing/render-data-hook.js'
