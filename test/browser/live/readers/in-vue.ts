// biome-ignore-all lint/correctness/useHookAtTopLevel: these are Vue's, which are called in `setup`.
import { createDataClient, useDLE, useSubscription } from '@roundtable/vue'
import { createApp, defineComponent, h, shallowRef } from 'vue'
import type { Show } from './main.js'
import { controller, getLiveTasks, titlesOf } from './tasks.js'

const Reader = defineComponent({
  setup() {
    const { data } = useDLE(getLiveTasks)
    useSubscription(getLiveTasks)
    return () => h('output', titlesOf(data.value))
  },
})

const Closable = defineComponent({
  setup() {
    const isOpen = shallowRef(true)
    const close = (): void => {
      isOpen.value = false
    }
    return () => isOpen.value && h('p', [h(Reader), h('button', { type: 'button', onClick: close }, 'Close')])
  },
})

export const show: Show = (element) => {
  createApp(() => [h(Closable), h(Closable)])
    .use(createDataClient({ controller }))
    .mount(element)
}
