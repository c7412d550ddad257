import { createDataClient } from '@roundtable/vue'
import { type App, createApp } from 'vue'
import Chat from './chat.vue'
import { run } from './session.js'
import SignIn from './sign-in.vue'

let app: App | undefined

// One app for each session, since an app has one controller.
await run((session) => {
  app?.unmount()
  app = createApp(session ? Chat : SignIn)
  if (session) app.use(createDataClient(session))
  app.mount('#app')
})
