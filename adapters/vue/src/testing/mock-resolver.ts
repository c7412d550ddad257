import { answerFrom, type Fixture, type Interceptor } from '@roundtable/core/testing'
import { defineComponent, provide, type VNode } from 'vue'
import { CONTROLLER } from '../controller-key.js'
import { useController } from '../use-controller.js'

/** The props of `MockResolver`. */
export interface MockResolverProps {
  /** The responses to requests; requests without a match go to the network. Read once, in setup. */
  readonly fixtures: readonly (Fixture | Interceptor)[]
}

/**
 * Responds with fixtures and interceptors to the requests of the components inside, on the store of the provided controller:
 * for stories, demos and tests.
 *
 * @example
 * ```vue
 * <MockResolver :fixtures="fixtures">
 *   <Todos />
 * </MockResolver>
 * ```
 */
export const MockResolver: new (
  props: MockResolverProps,
) => { $props: MockResolverProps; $slots: { default?(): VNode[] } } = defineComponent(
  function MockResolver({ fixtures }: MockResolverProps, { slots }: { slots: { default?(): VNode[] } }) {
    provide(CONTROLLER, answerFrom(useController(), fixtures))
    return (): VNode[] | undefined => slots.default?.()
  },
  { props: ['fixtures'] },
)
