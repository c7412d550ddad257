import { type Mounted, type RenderDataOptions, type RenderedData, renderData } from '@roundtable/core/testing'
import * as React from 'react'
import { createRoot } from 'react-dom/client'
import { AsyncBoundary } from '../async-boundary.js'
import { DataProvider } from '../data-provider.js'

/** The options of `renderDataHook`. */
export interface RenderDataHookOptions<Props extends object = object> extends RenderDataOptions<Props> {
  /**
   * Wraps the component that calls the hook, for other providers that it needs.
   *
   * @default nothing
   */
  readonly wrapper?: React.ComponentType<{ readonly children?: React.ReactNode }> | undefined
}

/**
 * Calls a hook in a test component, with a controller that responds with fixtures and has a manual clock.
 *
 * @remarks
 * It needs React 18.3 or newer and a DOM such as happy-dom, but no testing library. While the hook suspends,
 * `result.pending` is true. An error that it throws is in `result.error`.
 *
 * @example
 * ```tsx
 * const { result, advance } = renderDataHook(({ id }) => useSuspense(getTodo, { id }), {
 *   initialProps: { id: 5 },
 *   resolverFixtures: [{ endpoint: getTodo, args: [{ id: 5 }], response: { id: 5, title: 'Sharpen the pencil' }, delay: 200 }],
 * })
 * result.pending // true
 * await advance(200)
 * result.current.title // 'Sharpen the pencil'
 * ```
 */
export function renderDataHook<Result, Props extends object = object>(
  // It has the name of a hook, since React Compiler would cache its result otherwise.
  useHook: (props: Props) => Result,
  options: RenderDataHookOptions<Props> = {},
): RenderedData<Result, Props> {
  // Without props, the function has no parameter.
  const { wrapper = React.Fragment, initialProps = {} as Props, ...others } = options
  return renderData<Result, Props>(others, (controller, { show, hide, fail }): Mounted<Props> => {
    function Hook({ props }: { readonly props: Props }): React.ReactNode {
      const value = useHook(props)
      // The cleanup also runs when the component is hidden.
      React.useLayoutEffect(() => {
        show(value)
        return hide
      })
      return null
    }
    function Failure({ error }: { readonly error: Error }): React.ReactNode {
      React.useLayoutEffect(() => fail(error))
      return null
    }
    // The result contains the error, so React need not report it.
    const root = createRoot(document.createElement('div'), { onCaughtError: () => {} })
    const render = (props: Props): void => {
      const inner = React.createElement(
        AsyncBoundary,
        { errorComponent: Failure },
        React.createElement(Hook, { props }),
      )
      root.render(React.createElement(wrapper, undefined, React.createElement(DataProvider, { controller }, inner)))
    }
    actNow(() => render(initialProps))
    return { rerender: render, unmount: () => root.unmount(), around: actLater }
  })
}

/** The flag that tells React that a test awaits its updates. */
const environment: object & { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined } = globalThis

function actNow(work: () => void): void {
  const before = environment.IS_REACT_ACT_ENVIRONMENT
  environment.IS_REACT_ACT_ENVIRONMENT = true
  try {
    React.act(work)
  } finally {
    environment.IS_REACT_ACT_ENVIRONMENT = before
  }
}

async function actLater(work: () => Promise<void>): Promise<void> {
  const before = environment.IS_REACT_ACT_ENVIRONMENT
  environment.IS_REACT_ACT_ENVIRONMENT = true
  try {
    await React.act(work)
  } finally {
    environment.IS_REACT_ACT_ENVIRONMENT = before
  }
}
