import { type RenderDataOptions, type RenderedData, renderData } from '@roundtable/core/testing'
import { createApp, defineComponent, type Plugin, shallowReactive } from 'vue'
import { createDataClient } from '../data-provider.js'

/** What `renderDataCompose` takes. */
export interface RenderDataComposeOptions<Props extends object = object> extends RenderDataOptions<Props> {
  /**
   * Other plugins that the composable needs.
   *
   * @default []
   */
  readonly plugins?: readonly Plugin[] | undefined
}

/**
 * Calls a composable in the setup of a component of its own, on a controller whose requests are answered from fixtures and whose
 * clock is turned by hand.
 *
 * @remarks
 * It needs a DOM such as happy-dom; no testing library. The props are reactive: read them in getters. Of an awaitable composable
 * `result.current` is what it resolves with; until then `result.pending` is true.
 *
 * @example
 * ```ts
 * const { result, advance } = renderDataCompose((props) => useSuspense(getTodo, () => ({ id: props.id })), {
 *   initialProps: { id: 5 },
 *   resolverFixtures: [{ endpoint: getTodo, args: [{ id: 5 }], response: { id: 5, title: 'Sharpen the pencil' }, delay: 200 }],
 * })
 * result.pending // true
 * await advance(200)
 * result.current.value.title // 'Sharpen the pencil'
 * ```
 */
export function renderDataCompose<Result, Props extends object = object>(
  composable: (props: Props) => Result,
  options: RenderDataComposeOptions<Props> = {},
): RenderedData<Awaited<Result>, Props> {
  // Who gives no props has a function that takes none.
  const { plugins = [], initialProps = {} as Props, ...others } = options
  return renderData<Awaited<Result>, Props>(others, (controller, result) => {
    const props = shallowReactive({ ...initialProps })
    const setup = (): (() => null) => {
      result.follow(() => composable(props as Props))
      return () => null
    }
    const app = createApp(defineComponent(setup))
    app.config.errorHandler = result.fail
    app.use(createDataClient({ controller }))
    for (const plugin of plugins) app.use(plugin)
    app.mount(document.createElement('div'))
    return { rerender: (next) => void Object.assign(props, next), unmount: () => app.unmount() }
  })
}
