// For the console of a developer, and for tests.
import { getStats } from '~/issues'

export default defineNuxtPlugin(() => {
  Object.assign(window, { app: { controller: useController(), getStats } })
})
