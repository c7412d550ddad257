import type { Fixture, Interceptor } from '@roundtable/core/testing'
import type { Component, Snippet } from 'svelte'
import Resolver from './mock-resolver.svelte'

/** What `MockResolver` takes. */
export interface MockResolverProps {
  /** What answers requests; one that none of them answers goes to the network. Read once, when it is mounted. */
  readonly fixtures: readonly (Fixture | Interceptor)[]
  readonly children?: Snippet | undefined
}

/**
 * Answers the requests of everything inside from fixtures and interceptors, on the store of the controller around it: for stories,
 * demos and tests.
 *
 * @example
 * ```svelte
 * <MockResolver {fixtures}>
 *   <Todos />
 * </MockResolver>
 * ```
 */
export const MockResolver: Component<MockResolverProps> =
  // The compiler of plain TypeScript knows nothing of what is in a .svelte file.
  Resolver as unknown as Component<MockResolverProps>
