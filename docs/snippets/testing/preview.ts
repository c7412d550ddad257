import { createDataClient } from '@roundtable/vue'
import type { App } from 'vue'
import Story from './story.vue'

/** Call it with the `setup` of `@storybook/vue3-vite`: `setup(provide)`. */
export const provide = (app: App) => app.use(createDataClient())

export const decorators = [
  () => ({ components: { Story }, template: '<Story><story /></Story>' }),
]
