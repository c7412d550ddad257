import { Controller } from '@roundtable/core'
import { setController, useDLE } from '@roundtable/svelte'
import { actionsOf, getIssue, getIssues, getPinned } from '../ours.js'
import type { App } from '../page/app.js'
import { svelteApp } from './app.js'

/** Roundtable in Svelte. */
export const app: App = svelteApp(
  {
    useIssues: () => useDLE(getIssues),
    useIssue: (id) => useDLE(getIssue, { id }),
    usePinned: () => useDLE(getPinned),
  },
  () => {
    const controller = new Controller()
    return {
      actions: actionsOf(controller),
      provide: () => void setController(controller),
      end: () => controller.dispose(),
    }
  },
)
