import { stateOf } from '@roundtable/svelte/kit'
import { getIssue } from '$lib/issues'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await event.locals.controller.fetch(getIssue, { id: event.params.id })
  return { state: stateOf(event) }
}
