import type { Controller, MutateEndpoint, PagesEndpoint, Queryable, ReadEndpoint } from '@roundtable/core'
import {
  AsyncBoundary,
  createDataClient,
  type DLE,
  type ErrorSlotProps,
  type ResetProps,
  useCache,
  useCancelling,
  useController,
  useDebounce,
  useDLE,
  useError,
  useFetch,
  useFetching,
  useLive,
  useLoading,
  useMutating,
  usePages,
  useQuery,
  useSubscription,
  useSuspense,
} from '@roundtable/vue'
import { useConnection } from '@roundtable/vue/live'
import { useOutbox, usePending } from '@roundtable/vue/offline'
import {
  type App,
  type Component,
  createApp,
  defineComponent,
  h,
  type ShallowRef,
  shallowRef,
  type VNode,
  type VNodeChild,
} from 'vue'
import {
  breathe,
  DEBOUNCE,
  domScreen,
  extensibleOf,
  type Harness,
  type Hook,
  type Now,
  oneArgReadOf,
  readOf,
  show,
  showError,
  showKnown,
  showOutbox,
  showPages,
  type View,
} from '../harness.js'

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
  // Vue prints the second for every setup that throws.
  noise: [/<Suspense> is an experimental feature/, /Component is missing template or render function/],
  async open(controller, views) {
    const { app, handles } = appOf(controller, views)
    const root = document.body.appendChild(document.createElement('main'))
    app.mount(root)
    await breathe()
    const now: Now = {
      change: (index, args) => give(handles[index]?.args, args),
      close: (index) => give(handles[index]?.isOpen, false),
    }
    const acted = async (work: (now: Now) => unknown): Promise<void> => {
      await work(now)
      await breathe()
    }
    const screen = domScreen(root)
    let isOver = false
    return {
      texts: screen.texts,
      renders: (index) => handles[index]?.renders ?? 0,
      change: (index, args) => acted(() => now.change(index, args)),
      close: (index) => acted(() => now.close(index)),
      end: () =>
        acted(() => {
          if (!isOver) app.unmount()
          isOver = true
          root.remove()
        }),
      press: (index) => acted(() => screen.press(index)),
      act: acted,
    }
  },
}

/** The app with these readers, not mounted. */
export function appOf(controller: Controller, views: readonly View[]): { app: App; handles: readonly Handle[] } {
  const handles: Handle[] = views.map(({ args }) => ({
    renders: 0,
    args: shallowRef(args),
    isOpen: shallowRef(true),
  }))
  const components = views.map((view, index) => componentOf(view, handles[index] as Handle))
  const app = createApp(() =>
    components.map((component, index) => section(component, index, handles[index] as Handle, views[index] as View)),
  )
  return { app: app.use(createDataClient({ controller })), handles }
}

function give<Value>(ref: ShallowRef<Value> | undefined, value: Value): void {
  if (ref !== undefined) ref.value = value
}

function section(
  reader: Component,
  index: number,
  { isOpen, args }: Handle,
  { isBare, isKeyed, resets }: View,
): VNodeChild {
  if (!isOpen.value) return null
  const inner = { default: () => [h(reader, isKeyed ? { key: String(args.value[1]) } : {})] }
  const states = {
    fallback: () => [h('span', 'loading')],
    error: ({ error, resetErrorBoundary }: ErrorSlotProps) => [failure(error, resetErrorBoundary)],
  }
  return h('section', { 'data-view': index, key: index }, [
    h(AsyncBoundary, resetsOf(resets, args.value), isBare ? inner : { ...inner, ...states }),
  ])
}

function resetsOf(resets: View['resets'], [, key]: readonly unknown[]): ResetProps {
  return resets === undefined ? {} : { ...resets, resetKeys: [key], listen: resets.listen?.(key) }
}

function failure(error: Error, retry: () => void, data?: unknown): VNode {
  return h('button', { onClick: retry }, showError(error, data))
}

/** A reader sets up what it reads, and returns how it is shown. */
type SetUp = (view: View, arg: () => null, more: () => null) => Shown | Promise<Shown>
type Shown = () => string | VNode

const readers: Record<Hook, SetUp> = {
  async suspense(view, arg) {
    const data = await useSuspense(readOf(view), arg)
    return () => show(data.value)
  },
  async parallel(view, arg, more) {
    const read = oneArgReadOf(view)
    const [one, other] = await useSuspense([read, arg], [read, more])
    return () => `${show(one?.value)} + ${show(other?.value)}`
  },
  async live(view, arg) {
    const data = await useLive(readOf(view), arg)
    return () => show(data.value)
  },
  cache(view, arg) {
    const data = useCache(readOf(view), arg)
    return () => show(data.value)
  },
  query(view, arg) {
    const data = useQuery(view.of() as Queryable, arg)
    return () => show(data.value)
  },
  connection(view, arg) {
    const connection = useConnection(readOf(view), arg)
    return () => show(connection.value?.status)
  },
  outbox() {
    const waiting = useOutbox()
    return () => showOutbox(waiting.value)
  },
  pending(view, arg) {
    const status = usePending(view.of() as Queryable, arg)
    return () => show(status.value)
  },
  dle: (view, arg) => shownDLE(useDLE(readOf(view), arg)),
  known(view, arg) {
    const dle = useDLE(readOf(view), arg)
    return () => h('button', { onClick: dle.refetch }, showKnown(valuesOf(dle)))
  },
  fetching(view, arg) {
    const endpoint = view.of() as ReadEndpoint | undefined
    const busy = endpoint === undefined ? useFetching() : useFetching(endpoint, arg)
    return () => (busy.value ? 'busy' : 'idle')
  },
  mutating(view) {
    const busy = useMutating(view.of() as MutateEndpoint | undefined)
    return () => (busy.value ? 'busy' : 'idle')
  },
  error(view, arg) {
    const error = useError(readOf(view), arg)
    return () => (error.value ? showError(error.value) : 'nothing')
  },
  pages(view, arg) {
    const pages = usePages(readOf(view) as PagesEndpoint, arg)
    const text = (): string =>
      showPages({ ...valuesOf(pages), hasNext: pages.hasNext.value, fetchingNext: pages.fetchingNext.value })
    return () => h('button', { onClick: pages.fetchNext }, text())
  },
  subscription(view, arg, more) {
    useSubscription(readOf(view), arg)
    return readers.cache(view, arg, more)
  },
  async cancelling(view, arg) {
    const data = await useSuspense(useCancelling(extensibleOf(view), arg), arg)
    return () => show(data.value)
  },
  'cancelling-dle': (view, arg) => shownDLE(useDLE(useCancelling(extensibleOf(view), arg), arg)),
  async fetch(view, arg) {
    const data = await useFetch(readOf(view), arg)
    return () => show(data)
  },
  loading(view) {
    const [run, loading, error] = useLoading(view.of() as () => Promise<unknown>)
    const text = (): string => (loading.value ? 'loading' : error.value ? `failed: ${error.value.message}` : 'idle')
    return () => h('button', { onClick: () => run() }, text())
  },
  debounce(_, arg, more) {
    const [value, isPending] = useDebounce<unknown>(arg, DEBOUNCE, () => (more() as unknown) !== false)
    return () => `${show(value.value)}${isPending.value ? ' …' : ''}`
  },
}

/** The values of all refs of the state. */
function valuesOf({ data, loading, error, refreshing, failureCount, failureReason }: DLE<unknown>) {
  return {
    data: data.value,
    loading: loading.value,
    error: error.value,
    refreshing: refreshing.value,
    failureCount: failureCount.value,
    failureReason: failureReason.value,
  }
}

function shownDLE({ data, loading, error }: DLE<unknown>): Shown {
  const controller = useController()
  return () => {
    if (loading.value) return 'loading'
    return error.value ? failure(error.value, () => controller.dropError(error.value), data.value) : show(data.value)
  }
}

/** The component of a reader, which counts how often it is rendered. */
function componentOf(view: View, handle: Handle): Component {
  const counted = (render: Shown) => (): VNode => {
    handle.renders++
    return h('span', [render()])
  }
  // Whatever the test gave; for the compiler nothing yet.
  const at = (index: number) => () => handle.args.value[index] as null
  return defineComponent({
    setup() {
      const shown = readers[view.hook](view, at(0), at(1))
      return shown instanceof Promise ? shown.then(counted) : counted(shown)
    },
  })
}
