import { Controller } from '@roundtable/core'
import { fromDocument, hydrate, requestMark } from '@roundtable/core/hydration'
import { onDestroy, setContext } from 'svelte'
import { afterNavigate, beforeNavigate } from '$app/navigation'
import { LOADS, type Loads } from './kit-state.svelte.js'

export { type SentState, useHydrated } from './kit-state.svelte.js'

/** The browser's version of `pageController` in `kit.ts`. */
export function pageController(make: () => Controller = () => new Controller()): Controller {
  const controller = hydrate(make(), fromDocument())
  noteNavigations(controller)
  onDestroy(() => controller.dispose())
  return controller
}

/**
 * Marks navigations. SvelteKit does not reveal when it called a `load` function, and may do so before the link is clicked,
 * but never before the previous navigation, which discarded all preloaded data.
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
