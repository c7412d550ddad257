import { Controller } from '@roundtable/core'
import { createDataClient, useDLE } from '@roundtable/vue'
import { actionsOf, getIssue, getIssues, getPinned } from '../ours.js'
import type { App } from '../page/app.js'
import { vueApp } from './app.js'

/** Roundtable in Vue. */
export const app: App = vueApp(
  {
    useIssues: () => useDLE(getIssues).data,
    useIssue: (id) => useDLE(getIssue, { id }).data,
    usePinned: () => useDLE(getPinned).data,
  },
  () => {
    const controller = new Controller()
    return {
      actions: actionsOf(controller),
      install: (app) => app.use(createDataClient({ controller })),
      end: () => controller.dispose(),
    }
  },
)
