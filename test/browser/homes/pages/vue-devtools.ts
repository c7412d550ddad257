// biome-ignore-all lint/correctness/useHookAtTopLevel: these are Vue's, which are called in `setup`.
import { vuePlugin } from '@roundtable/devtools'
import { createDataClient, useDLE } from '@roundtable/vue'
import { createApp, defineComponent, h } from 'vue'
import { controller, finish, listed, TodoResource } from './app.js'

const Todos = defineComponent(() => {
  const { data } = useDLE(TodoResource.getList)
  return () => h('button', { onClick: finish }, listed(data.value))
})

const app = createApp(Todos).use(createDataClient({ controller }))
void vuePlugin(app, controller)
app.mount('main')
