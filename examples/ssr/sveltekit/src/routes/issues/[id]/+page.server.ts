import { NetworkError } from '@roundtable/core'
import { stateOf } from '@roundtable/svelte/kit'
import { error } from '@sveltejs/kit'
import { getIssue, renameIssue } from '$lib/issues'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  const { controller } = event.locals
  await controller.fetch(getIssue, { id: event.params.id }).catch((reason: unknown) => {
    // The nearest +error.svelte shows the text, with this status.
    if (reason instanceof NetworkError && reason.status === 404) error(404, 'There is no such issue.')
    throw reason
  })
  return { state: stateOf(event) }
}

/** After an action SvelteKit calls `load` again, and its state brings the new title. */
export const actions: Actions = {
  async default({ locals, params, request }) {
    const title = String((await request.formData()).get('title'))
    await locals.controller.fetch(renameIssue, { id: params.id }, { title })
  },
}
