import { createDataClient } from '@roundtable/vue'
import { createApp, h, Suspense } from 'vue'
import Todos from './todos.vue'

const App = () => h(Suspense, () => h(Todos, { userId: 1 }))
createApp(App).use(createDataClient()).mount('#root')
