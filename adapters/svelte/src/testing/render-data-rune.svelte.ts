import { type RenderDataOptions, type RenderedData, renderData } from '@roundtable/core/testing'
import { type Component, mount, unmount } from 'svelte'
import Stage from './stage.svelte'
import type { StageProps } from './stage-props.js'

/** The options of `renderDataRune`. */
export interface RenderDataRuneOptions<Props extends object = object> extends RenderDataOptions<Props> {
  /**
   * More contexts for the function.
   *
   * @default none
   */
  readonly context?: ReadonlyMap<unknown, unknown> | undefined
}

/**
 * Calls a function with runes in a test component, with a controller that responds with fixtures and has a manual clock.
 *
 * @remarks
 * It needs a DOM such as happy-dom, but no testing library. The props are reactive: read them in thunks. It reads the
 * returned value as a template would. If the function returns a promise, `result.pending` is true until the promise settles,
 * and `result.current` is the value with which it resolved.
 *
 * @example
 * ```ts
 * const { result, advance } = renderDataRune((props) => useSuspense(getTodo, () => [{ id: props.id }]), {
 *   initialProps: { id: 5 },
 *   resolverFixtures: [{ endpoint: getTodo, args: [{ id: 5 }], response: { id: 5, title: 'Sharpen the pencil' }, delay: 200 }],
 * })
 * result.pending // true
 * await advance(200)
 * result.current.current.title // 'Sharpen the pencil'
 * ```
 */
export function renderDataRune<Result, Props extends object = object>(
  run: (props: Props) => Result,
  options: RenderDataRuneOptions<Props> = {},
): RenderedData<Awaited<Result>, Props> {
  // Without props, the function has no parameter.
  const { context = new Map(), initialProps = {} as Props, ...others } = options
  return renderData<Awaited<Result>, Props>(others, (controller, result) => {
    const props: Props = $state({ ...initialProps })
    // The TypeScript compiler cannot read .svelte files.
    const component = mount(Stage as unknown as Component<StageProps>, {
      target: document.createElement('div'),
      props: { controller, run: (look) => result.follow(() => run(props), look) },
      context: new Map(context),
    })
    return {
      rerender: (next) => void Object.assign(props, next),
      unmount: () => void unmount(component),
    }
  })
}
