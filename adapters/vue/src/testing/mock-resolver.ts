import { answerFrom, type Fixture, type Interceptor } from '@roundtable/core/testing'
import { defineComponent, provide, type VNode } from 'vue'
import { CONTROLLER } from '../controller-key.js'
import { useController } from '../use-controller.js'

/** What `MockResolver` takes. */
export interface MockResolverProps {
  /** What answers requests; one that none of them answers goes to the network. Read once, at setup. */
  readonly fixtures: readonly (Fixture | Interceptor)[]
}

/**
 * Answers the requests of everything inside from fixtures and interceptors, on the store of the app around it: for stories, demos
 * and tests.
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
