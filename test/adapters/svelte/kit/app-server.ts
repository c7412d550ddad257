import type { RequestEvent } from '@sveltejs/kit'

let current: RequestEvent | undefined

/** SvelteKit's `$app/server`. */
export function getRequestEvent(): RequestEvent {
  if (current === undefined) throw new Error('No request is answered.')
  return current
}

export function setRequestEvent(event: RequestEvent): void {
  current = event
}
