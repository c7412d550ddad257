import { Invalidate } from '@roundtable/core'
import { controller } from '../controller.js'
import { BoardEndpoint } from './board-endpoint.js'
import { isPassing } from './is-passing.js'
import { Task } from './task.js'
import { getTasks } from './tasks.js'

/** The changes since the last request, by any user. Live readers poll every ten seconds. */
export const getChanges = new BoardEndpoint({
  path: '/api/tasks/changes',
  schema: { tasks: [Task], deleted: [new Invalidate(Task)], until: '' },
  pollFrequency: 10_000,
  errorPolicy: isPassing,
  fetchResponse(input: string, init: RequestInit) {
    // Not an argument: whenever it is asked for, it is the same data, kept up to date.
    return BoardEndpoint.prototype.fetchResponse.call(this, `${input}?since=${lastKnownChange()}`, init)
  },
})

function lastKnownChange(): string {
  const known = controller.getResponse(getChanges).data ?? controller.getResponse(getTasks).data
  return known?.until ?? new Date(0).toISOString()
}
