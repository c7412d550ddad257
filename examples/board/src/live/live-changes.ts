import { type Controller, Invalidate } from '@roundtable/core'
import { live } from '@roundtable/core/live'
import { getChanges } from '../api/changes.js'
import { Task } from '../api/task.js'
import { createTask } from '../api/tasks.js'
import { taskWire } from './task-wire.js'

/** The same data as that of `getChanges`: the server tells what changes, and is asked only while there is no stream. */
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

/** What is made here comes with its answer, and not with the stream. If no answer comes, the server is asked. */
export function askAfterLostAnswers(controller: Controller): void {
  controller.on('settle', ({ endpoint, error }) => {
    if (error !== undefined && endpoint.name === createTask.name) controller.expireAll(getLiveChanges)
  })
}
