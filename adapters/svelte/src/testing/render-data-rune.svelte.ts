import { type RenderDataOptions, type RenderedData, renderData } from '@roundtable/core/testing'
import { type Component, mount, unmount } from 'svelte'
import Stage from './stage.svelte'
import type { StageProps } from './stage-props.js'

/** What `renderDataRune` takes. */
export interface RenderDataRuneOptions<Props extends object = object> extends RenderDataOptions<Props> {
  /**
   * Other contexts that the function needs.
   *
   * @default none
   */
  readonly context?: ReadonlyMap<unknown, unknown> | undefined
}

/**
 * Calls a function with runes in a component of its own, on a controller whose requests are answered from fixtures and whose clock is
 * turned by hand.
 *
 * @remarks
 * It needs a DOM such as happy-dom; no testing library. The props are reactive: read them in thunks. Whatever the function returns
 * is looked at as a template would. Of a promise `result.current` is what it resolves with; until then `result.pending` is true.
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
  // Who gives no props has a function that takes none.
  const { context = new Map(), initialProps = {} as Props, ...others } = options
  return renderData<Awaited<Result>, Props>(others, (controller, result) => {
    const props: Props = $state({ ...initialProps })
    // The compiler of plain TypeScript knows nothing of what is in a .svelte file.
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
