import { NetworkError } from '@roundtable/core'
import { stateOf } from '@roundtable/svelte/kit'
import { error } from '@sveltejs/kit'
import { getIssue, renameIssue } from '$lib/issues'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  const { controller } = event.locals
  await controller.fetch(getIssue, { id: event.params.id }).catch((reason: unknown) => {
    if (!(reason instanceof NetworkError)) throw reason
    // The nearest +error.svelte shows the text, with this status.
    error(reason.status, reason.status === 404 ? 'There is no such issue.' : 'The issue could not be loaded.')
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
