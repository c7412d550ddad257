import { createDataClient } from '@roundtable/vue'
import { createApp } from 'vue'
import App from './app.vue'

createApp(App).use(createDataClient()).mount('#app')
