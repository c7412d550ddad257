import { Controller } from '@roundtable/core'
import { fromDocument } from '@roundtable/core/hydration'
import { onDestroy } from 'svelte'
import { hydrateSent, type SentState } from './kit-state.svelte.js'

export { type SentState, useHydrated } from './kit-state.svelte.js'

/** That of `kit.ts`, in a browser. */
export function pageController(make: () => Controller = () => new Controller()): Controller {
  const controller = make()
  hydrateSent(controller, parsed(fromDocument()))
  onDestroy(() => controller.dispose())
  return controller
}

/** What `withState` has sent; text that cannot be read stays as it is, to be reported. */
function parsed(text = 'null'): SentState | string | null {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
