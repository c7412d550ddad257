import type { SentState } from '@roundtable/svelte/kit'

/** The props of a page, which change on navigation. */
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
