import { Controller } from '@roundtable/core'
import { createDataClient } from '@roundtable/vue'
import type { App } from 'vue'
import { api } from './backend.js'

const controller = new Controller({ transport: api.transport })

/** Call it with the `setup` of `@storybook/vue3-vite`: `setup(provide)`. */
export const provide = (app: App) =>
  app.use(createDataClient({ controller }))
