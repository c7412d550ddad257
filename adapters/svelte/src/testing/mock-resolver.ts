import type { Fixture, Interceptor } from '@roundtable/core/testing'
import type { Component, Snippet } from 'svelte'
import Resolver from './mock-resolver.svelte'

/** The props of `MockResolver`. */
export interface MockResolverProps {
  /** The responses to requests; requests without a match go to the network. Read once, on mount. */
  readonly fixtures: readonly (Fixture | Interceptor)[]
  readonly children?: Snippet | undefined
}

/**
 * Responds with fixtures and interceptors to the requests of the components inside, on the store of the provided controller:
 * for stories, demos and tests.
 *
 * @example
 * ```svelte
 * <MockResolver {fixtures}>
 *   <Todos />
 * </MockResolver>
 * ```
 */
export const MockResolver: Component<MockResolverProps> =
  // The TypeScript compiler cannot read .svelte files.
  Resolver as unknown as Component<MockResolverProps>
