// biome-ignore-all lint/correctness/useHookAtTopLevel: these are Vue's, which are called in `setup`.
import { tanstackPlugin } from '@roundtable/devtools'
import { createDataClient, useDLE } from '@roundtable/vue'
import { TanStackDevtoolsCore } from '@tanstack/devtools'
import { createApp, defineComponent, h, onMounted, onUnmounted, useTemplateRef } from 'vue'
import { controller, finish, listed, TodoResource } from './app.js'

/** TanStack Devtools have no package for Vue: its core is mounted. */
const Devtools = defineComponent(() => {
  const shell = new TanStackDevtoolsCore({ plugins: [tanstackPlugin(controller)], config: { defaultOpen: true } })
  const element = useTemplateRef<HTMLElement>('shell')
  onMounted(() => {
    if (element.value !== null) shell.mount(element.value)
  })
  onUnmounted(() => shell.unmount())
  return () => h('div', { ref: 'shell' })
})

const Todos = defineComponent(() => {
  const { data } = useDLE(TodoResource.getList)
  return () => h('button', { onClick: finish }, listed(data.value))
})

createApp(() => [h(Todos), h(Devtools)])
  .use(createDataClient({ controller }))
  .mount('main')
