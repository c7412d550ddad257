import { answerFrom, type Fixture, type Interceptor } from '@roundtable/core/testing'
import * as React from 'react'
import { ControllerContext } from '../controller-key.js'
import { useController } from '../use-controller.js'

/** The props of `MockResolver`. */
export interface MockResolverProps {
  /**
   * The responses to requests; requests without a match go to the network. Keep the array stable: a new array creates a
   * new controller.
   */
  readonly fixtures: readonly (Fixture | Interceptor)[]
  readonly children?: React.ReactNode
}

/**
 * Responds with fixtures and interceptors to the requests of the components inside, on the store of the provided controller:
 * for stories, demos and tests.
 *
 * @example
 * ```tsx
 * const fixtures = [{ endpoint: getTodo, args: [{ id: 5 }], response: { id: 5, title: 'Sharpen the pencil' }, delay: 500 }]
 *
 * const story = (
 *   <DataProvider>
 *     <MockResolver fixtures={fixtures}>
 *       <Todos />
 *     </MockResolver>
 *   </DataProvider>
 * )
 * ```
 */
export function MockResolver({ fixtures, children }: MockResolverProps): React.ReactElement {
  const controller = useController()
  const answered = React.useMemo(() => answerFrom(controller, fixtures), [controller, fixtures])
  return React.createElement(ControllerContext.Provider, { value: answered }, children)
}
