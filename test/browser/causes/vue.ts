// biome-ignore-all lint/correctness/useHookAtTopLevel: these are Vue's, which are called in `setup`.
import { createDataClient, useDLE, usePages, useSubscription } from '@roundtable/vue'
import { createApp, defineComponent, h, nextTick, shallowRef } from 'vue'
import { controller, getList, getPrice, retry, type Shown, TodoResource, told } from './app.js'

const props = { id: { type: String, required: true } } as const

const TodoPart = defineComponent({
  props,
  setup(given) {
    const { data, error, refetch } = useDLE(TodoResource.get, () => ({ id: given.id }))
    return () => [
      h('output', told(data.value, error.value)),
      h('button', { onClick: refetch }, 'Refetch'),
      h('button', { onClick: () => retry(error.value) }, 'Retry'),
    ]
  },
})

const PricePart = defineComponent({
  props,
  setup(given) {
    useSubscription(getPrice, () => ({ id: given.id }))
    const { data, error } = useDLE(getPrice, () => ({ id: given.id }))
    return () => h('output', told(data.value, error.value))
  },
})

const ListPart = defineComponent({
  props,
  setup(given) {
    const { data, error, fetchNext } = usePages(getList, () => ({ id: given.id }))
    return () => [h('output', told(data.value, error.value)), h('button', { onClick: fetchNext }, 'Next')]
  },
})

const parts = { todo: TodoPart, price: PricePart, list: ListPart }

/** A reader of Vue; returns a function that shows something else in it, and resolves when it is there. */
export function mountVue(element: HTMLElement): (shown: Shown) => Promise<void> {
  const shown = shallowRef<Shown>({ part: 'none', id: '' })
  const root = (): ReturnType<typeof h> | null => {
    const { part, id } = shown.value
    return part === 'none' ? null : h(parts[part], { id })
  }
  createApp(root).use(createDataClient({ controller })).mount(element)
  return (next) => {
    shown.value = next
    return nextTick()
  }
}
