import type { SentState } from '@roundtable/svelte/kit'

/** What a page is given, which changes with a navigation. */
export function navigation(first: SentState | undefined): { state: SentState | undefined } {
  let state = $state.raw(first)
  return {
    get state() {
      return state
    },
    set state(next) {
      state = next
    },
  }
}
