import { type Controller, Invalidate } from '@roundtable/core'
import { live } from '@roundtable/core/live'
import { getChanges } from '../api/changes.js'
import { Task } from '../api/task.js'
import { createTask } from '../api/tasks.js'
import { taskWire } from './task-wire.js'

/** The same data as `getChanges`: the server pushes changes, and the page polls only while there is no stream. */
export const getLiveChanges = getChanges.extend({
  pollFrequency: undefined,
  ...live({
    name: 'tasks',
    url: '/api/tasks/events',
    wire: taskWire,
    messages: { 'task.created': Task, 'task.changed': Task, 'task.deleted': new Invalidate(Task) },
    fallbackPoll: getChanges.pollFrequency,
  }),
})

/** New tasks of this page come with the response, not with the stream. Without a response, the page fetches. */
export function askAfterLostAnswers(controller: Controller): void {
  controller.on('settle', ({ endpoint, error }) => {
    if (error !== undefined && endpoint.name === createTask.name) controller.expireAll(getLiveChanges)
  })
}
