import type { Controller } from '@roundtable/core'
import { atom } from 'nanostores'
import { getChanges } from '../api/changes.js'
import { getComments } from '../api/comments.js'
import { getPeople } from '../api/person.js'
import { getProjects } from '../api/project.js'
import { getTask, getTasks } from '../api/tasks.js'

/** How often somebody asked to try again. Whoever shows a failure listens: one press is for all of them. */
export const $retries = atom(0)

/** Reads anew whatever is on screen, and lets all that failed try again. */
export function tryAgain(): void {
  $retries.set($retries.get() + 1)
}

/** Makes a retry ask the server for what is on screen; it stays there meanwhile. */
export function startRetries(controller: Controller): void {
  const errors = new Set<Error>()
  controller.on('settle', ({ endpoint, error }) => {
    if (error !== undefined && endpoint.sideEffect !== true) errors.add(error)
  })
  $retries.listen(() => {
    controller.notifyOnce(() => {
      // For a second after a failure nothing is asked again, unless the failure is forgotten.
      for (const error of errors) controller.dropError(error)
      errors.clear()
      for (const endpoint of [getProjects, getPeople, getTasks, getChanges, getTask, getComments])
        controller.expireAll(endpoint)
    })
  })
}
