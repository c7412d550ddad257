import { type RenderDataOptions, type RenderedData, renderData } from '@roundtable/core/testing'
import { createApp, defineComponent, type Plugin, shallowReactive } from 'vue'
import { createDataClient } from '../data-provider.js'

/** The options of `renderDataCompose`. */
export interface RenderDataComposeOptions<Props extends object = object> extends RenderDataOptions<Props> {
  /**
   * More plugins for the composable.
   *
   * @default []
   */
  readonly plugins?: readonly Plugin[] | undefined
}

/**
 * Calls a composable in the setup of a test component, with a controller that responds with fixtures and has a manual clock.
 *
 * @remarks
 * It needs a DOM such as happy-dom, but no testing library. The props are reactive: read them in getters. If the
 * composable returns a promise, `result.pending` is true until it settles, and `result.current` is the value with which
 * it resolved.
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
  // Without props, the function has no parameter.
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
