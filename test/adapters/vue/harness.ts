import type { Queryable } from '@roundtable/core'
import {
  AsyncBoundary,
  createDataClient,
  type ErrorSlotProps,
  useCache,
  useController,
  useDLE,
  useLive,
  useQuery,
  useSubscription,
  useSuspense,
} from '@roundtable/vue'
import {
  type Component,
  createApp,
  defineComponent,
  h,
  type ShallowRef,
  shallowRef,
  type VNode,
  type VNodeChild,
} from 'vue'
import { breathe, domScreen, type Harness, type Hook, readOf, show, type View } from '../harness.js'

/** How a test reaches into a reader. */
interface Handle {
  renders: number
  readonly args: ShallowRef<readonly unknown[]>
  readonly isOpen: ShallowRef<boolean>
}

/** Readers in Vue. */
export const vue: Harness = {
  name: 'Vue',
  keepsLast: true,
  mountsPending: true,
  async open(controller, views) {
    const handles: Handle[] = views.map(({ args }) => ({
      renders: 0,
      args: shallowRef(args),
      isOpen: shallowRef(true),
    }))
    const components = views.map((view, index) => componentOf(view, handles[index] as Handle))
    const root = document.body.appendChild(document.createElement('main'))
    const app = createApp(() =>
      components.map((component, index) => section(component, index, handles[index] as Handle)),
    )
    app.use(createDataClient({ controller }))
    app.config.warnHandler = (message) => {
      if (!message.includes('<Suspense> is an experimental feature')) console.warn(message)
    }
    app.mount(root)
    await breathe()
    const acted = async (work: () => unknown): Promise<void> => {
      await work()
      await breathe()
    }
    const screen = domScreen(root)
    let isOver = false
    return {
      texts: screen.texts,
      renders: (index) => handles[index]?.renders ?? 0,
      change: (index, args) => acted(() => give(handles[index]?.args, args)),
      close: (index) => acted(() => give(handles[index]?.isOpen, false)),
      end: () =>
        acted(() => {
          if (!isOver) app.unmount()
          isOver = true
          root.remove()
        }),
      retry: (index) => acted(() => screen.press(index)),
      act: acted,
    }
  },
}

function give<Value>(ref: ShallowRef<Value> | undefined, value: Value): void {
  if (ref !== undefined) ref.value = value
}

function section(reader: Component, index: number, { isOpen }: Handle): VNodeChild {
  if (!isOpen.value) return null
  return h('section', { 'data-view': index, key: index }, [
    h(AsyncBoundary, null, {
      default: () => [h(reader)],
      fallback: () => [h('span', 'loading')],
      error: ({ error, resetErrorBoundary }: ErrorSlotProps) => [failure(error, resetErrorBoundary)],
    }),
  ])
}

function failure(error: Error, retry: () => void): VNode {
  return h('button', { onClick: retry }, `failed: ${error.message}`)
}

/** A reader sets up what it reads, and returns how it is shown. */
type SetUp = (view: View, args: () => null) => (() => string | VNode) | Promise<() => string | VNode>

const readers: Record<Hook, SetUp> = {
  async suspense(view, args) {
    const data = await useSuspense(readOf(view), args)
    return () => show(data.value)
  },
  async live(view, args) {
    const data = await useLive(readOf(view), args)
    return () => show(data.value)
  },
  cache(view, args) {
    const data = useCache(readOf(view), args)
    return () => show(data.value)
  },
  query(view, args) {
    const data = useQuery(view.of() as Queryable, args)
    return () => show(data.value)
  },
  dle(view, args) {
    const controller = useController()
    const { data, loading, error } = useDLE(readOf(view), args)
    return () => {
      if (loading.value) return 'loading'
      return error.value ? failure(error.value, () => controller.dropError(error.value)) : show(data.value)
    }
  },
  subscription(view, args) {
    useSubscription(readOf(view), args)
    return readers.cache(view, args)
  },
}

/** The component of a reader, which counts how often it is rendered. */
function componentOf(view: View, handle: Handle): Component {
  const counted = (render: () => string | VNode) => (): VNode => {
    handle.renders++
    return h('span', [render()])
  }
  // Tests give one argument; for the compiler it is nothing yet.
  const setUp = (): ReturnType<SetUp> => readers[view.hook](view, () => handle.args.value[0] as null)
  const isAsync = view.hook === 'suspense' || view.hook === 'live'
  return defineComponent(
    isAsync ? { setup: async () => counted(await setUp()) } : { setup: () => counted(setUp() as () => string) },
  )
}
