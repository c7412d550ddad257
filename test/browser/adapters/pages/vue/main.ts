// biome-ignore-all lint/correctness/useHookAtTopLevel: these are Vue's, which are called in `setup`.
import {
  AsyncBoundary,
  createDataClient,
  type ErrorSlotProps,
  useController,
  useDLE,
  useLive,
  useSuspense,
} from '@roundtable/vue'
import { createApp, defineComponent, h, shallowRef, type VNode } from 'vue'
import { controller, deeds, settings } from '../settings.js'

const props = { id: { type: String, required: true } } as const

const SuspenseReader = defineComponent({
  props,
  async setup(given) {
    const todo = await useSuspense(settings.read, () => ({ id: given.id }))
    return () => h('p', todo.value.title)
  },
})

const LiveQueryer = defineComponent({
  props,
  async setup(given) {
    const todo = await useLive(settings.read, () => ({ id: given.id }))
    return () => h('p', todo.value.title)
  },
})

const DLEReader = defineComponent({
  props,
  setup(given) {
    const controller = useController()
    const { data, loading, error } = useDLE(settings.read, () => ({ id: given.id }))
    return () => {
      if (loading.value) return h('p', 'loading')
      const failed = error.value
      if (failed) return failure({ error: failed, resetErrorBoundary: () => controller.dropError(failed) })
      return h('p', data.value?.title)
    }
  },
})

const Reader = { suspense: SuspenseReader, live: LiveQueryer, dle: DLEReader }[settings.hook]

function failure({ error, resetErrorBoundary }: ErrorSlotProps): VNode {
  return h('div', { role: 'alert' }, [error.name, button('Try again', resetErrorBoundary)])
}

function button(name: string, onClick: () => void): VNode {
  return h('button', { type: 'button', onClick }, name)
}

const Section = defineComponent({
  props: { index: { type: Number, required: true } },
  setup({ index }) {
    const id = shallowRef('1')
    const isOpen = shallowRef(true)
    const choose = (to: string) => () => {
      id.value = to
    }
    const toggle = (): void => {
      isOpen.value = !isOpen.value
    }
    const slots = {
      default: () => [h(Reader, { id: id.value })],
      fallback: () => [h('p', 'loading')],
      error: (props: ErrorSlotProps) => [failure(props)],
    }
    return () =>
      h('section', { 'data-reader': index }, [
        button('Todo 1', choose('1')),
        button('Todo 2', choose('2')),
        button(isOpen.value ? 'Close' : 'Open', toggle),
        h('output', isOpen.value ? [h(AsyncBoundary, null, slots)] : []),
      ])
  },
})

createApp(() => [
  ...Object.entries(deeds).map(([name, deed]) => button(name, deed)),
  ...settings.readers.map((index) => h(Section, { index })),
])
  .use(createDataClient({ controller }))
  .mount('main')
