import type { Controller } from '@roundtable/core'
import { atom } from 'nanostores'
import { getChanges } from '../api/changes.js'
import { getComments } from '../api/comments.js'
import { getPeople } from '../api/person.js'
import { getProjects } from '../api/project.js'
import { getTask, getTasks } from '../api/tasks.js'

/** The number of retries by the user. Every failure on the page listens, so one press retries all. */
export const $retries = atom(0)

/** Reads anew whatever is on screen, and lets all that failed try again. */
export function tryAgain(): void {
  $retries.set($retries.get() + 1)
}

/** Makes a retry refetch what is on the screen, which stays there in the meantime. */
export function startRetries(controller: Controller): void {
  const errors = new Set<Error>()
  controller.on('settle', ({ endpoint, error }) => {
    if (error !== undefined && endpoint.sideEffect !== true) errors.add(error)
  })
  $retries.listen(() => {
    controller.notifyOnce(() => {
      // For a second after a failure nothing is refetched, unless the failure is dropped.
      for (const error of errors) controller.dropError(error)
      errors.clear()
      for (const endpoint of [getProjects, getPeople, getTasks, getChanges, getTask, getComments])
        controller.expireAll(endpoint)
    })
  })
}
