// biome-ignore-all lint/correctness/useHookAtTopLevel: these are Vue's, which are called in `setup`.
import { createDataClient, useDLE, useLive, usePages } from '@roundtable/vue'
import { createApp, defineComponent, h, Suspense, shallowRef } from 'vue'
import {
  controller,
  found,
  getFlaky,
  getFresh,
  getPrice,
  getStale,
  listed,
  part,
  priced,
  searchTodos,
  TodoResource,
  told,
} from './app.js'

type Read = ReturnType<typeof useDLE<typeof getFlaky>>

const shown = ({ data, error, loading }: Read): string =>
  told({ data: data.value, error: error.value, loading: loading.value })

const Search = defineComponent(() => {
  const q = shallowRef('a')
  const { data, loading, refreshing } = useDLE(searchTodos, () => ({ q: q.value }))
  const onInput = (event: Event): void => {
    q.value = (event.target as HTMLInputElement).value
  }
  return () => [
    h('input', { value: q.value, onInput }),
    h('output', found({ data: data.value, loading: loading.value, refreshing: refreshing.value })),
  ]
})

const List = defineComponent(() => {
  const { data, hasNext, fetchNext, refetch } = usePages(TodoResource.getList)
  return () => [
    h('button', { onClick: fetchNext }, 'Next'),
    h('button', { onClick: refetch }, 'Refresh'),
    h('output', listed(data.value, hasNext.value)),
  ]
})

const Flaky = defineComponent(() => {
  const read = useDLE(getFlaky)
  return () => h('output', shown(read))
})

const Both = defineComponent(() => {
  const fresh = useDLE(getFresh)
  const stale = useDLE(getStale)
  return () => h('output', `${shown(fresh)} ${shown(stale)}`)
})

const Price = defineComponent(async () => {
  const price = await useLive(getPrice)
  return () => h('output', priced(price.value))
})

const Todo = defineComponent(() => {
  const { data } = useDLE(TodoResource.get, { id: 1 })
  return () => h('output', `${data.value?.title} ${data.value?.note}`)
})

const Part = { search: Search, list: List, flaky: Flaky, both: Both, price: Price, todo: Todo }[part] ?? Search

createApp(() => h(Suspense, null, { default: () => h(Part), fallback: () => h('output', 'loading') }))
  .use(createDataClient({ controller }))
  .mount('main')
