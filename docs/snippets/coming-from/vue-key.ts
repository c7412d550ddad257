import { Controller } from '@roundtable/core'
import { createDataClient, useController } from '@roundtable/vue'
import { createApp, type InjectionKey, inject } from 'vue'

// The key that the application's own code injects.
const ControllerKey: InjectionKey<Controller> = Symbol('controller')

const controller = new Controller()
const app = createApp({})
  .use(createDataClient({ controller }))
  .provide(ControllerKey, controller)

app.runWithContext(() => {
  console.log(inject(ControllerKey) === useController())
  // → true
})
