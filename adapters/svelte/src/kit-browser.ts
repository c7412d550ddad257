import { Controller } from '@roundtable/core'
import { fromDocument, hydrate, requestMark } from '@roundtable/core/hydration'
import { onDestroy, setContext } from 'svelte'
import { afterNavigate, beforeNavigate } from '$app/navigation'
import { LOADS, type Loads } from './kit-state.svelte.js'

export { type SentState, useHydrated } from './kit-state.svelte.js'

/** The one of `kit.ts`, in a browser. */
export function pageController(make: () => Controller = () => new Controller()): Controller {
  const controller = hydrate(make(), fromDocument())
  noteNavigations(controller)
  onDestroy(() => controller.dispose())
  return controller
}

/**
 * SvelteKit does not say when it called a `load` function, and may do so before the link is clicked. But it was after
 * the previous navigation, which discarded all preloaded data.
 */
function noteNavigations(controller: Controller): void {
  const loads: Loads = setContext(LOADS, { since: 0 })
  let began = 0
  let completed = 0
  beforeNavigate(() => {
    loads.since = completed
    began = requestMark(controller)
  })
  afterNavigate(() => {
    completed = began
  })
}
