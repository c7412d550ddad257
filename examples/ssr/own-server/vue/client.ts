import { Controller } from '@roundtable/core'
import { fromDocument, hydrate } from '@roundtable/core/hydration'
import { createDataClient, serverErrors } from '@roundtable/vue'
import { createSSRApp } from 'vue'
import { getStats } from '../issues.js'
import App from './app.vue'

const controller = hydrate(new Controller(), fromDocument())
// For the console of a developer, and for tests.
Object.assign(window, { app: { controller, getStats } })

createSSRApp(App).use(createDataClient({ controller })).use(serverErrors).mount('#app')
