import { resource } from '@roundtable/core'
import { named } from '../live/own-changes.js'
import { BoardEndpoint } from './board-endpoint.js'
import { isPassing } from './is-passing.js'
import { type Status, Task } from './task.js'

/** The fields of a new task. */
export interface NewTask {
  readonly projectId: number
  readonly title: string
  readonly status: Status
  readonly position?: number
  readonly assigneeId?: number | null
  readonly dueDate?: string | null
}

/** The fields of a task that can be changed. */
export type TaskChange = Partial<Pick<Task, 'title' | 'status' | 'assigneeId' | 'dueDate' | 'projectId'>>

/** Where a task shall go: into a column, at a position or right below another task. */
export interface TaskMove {
  readonly status: Status
  readonly position?: number
  readonly after?: number
}

const tasks = resource({
  path: '/api/tasks/:id',
  schema: Task,
  optimistic: true,
  errorPolicy: isPassing,
  Endpoint: BoardEndpoint,
})

/** One task. */
export const getTask = tasks.get

/**
 * A page of all tasks; those at the top of their columns come first. Each is read once; later changes come from
 * `getChanges` of `changes.ts`.
 */
export const getTasks = new BoardEndpoint({
  path: '/api/tasks?limit=1000',
  searchParams: {} as { cursor?: string },
  schema: { tasks: [Task], total: 0, next: '', until: '' },
  dataExpiryLength: Number.POSITIVE_INFINITY,
  errorPolicy: isPassing,
  async parseResponse(response: Response) {
    const tasks: unknown = await BoardEndpoint.prototype.parseResponse.call(this, response)
    const { headers } = response
    return {
      tasks,
      total: Number(headers.get('x-total-count')),
      /** The cursor of the next page; '' after the last. */
      next: /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '',
      until: headers.get('x-last-change') ?? '',
    }
  },
})

/** Creates a task, which appears in its column before the server responds. */
export const createTask = tasks.create.extend({
  searchParams: undefined,
  body: {} as NewTask,
  getHeaders: named,
  getOptimisticResponse({ fetchedAt }, body) {
    const now = moment(fetchedAt)
    return {
      assigneeId: null,
      dueDate: null,
      createdAt: now,
      updatedAt: now,
      ...body,
      completedAt: completion(body.status, now),
    }
  },
})

/** Changes some of a task. */
export const changeTask = tasks.partialUpdate.extend({
  body: {} as TaskChange,
  getOptimisticResponse(snapshot, { id }, body) {
    const task = snapshot.get(Task, { id })
    if (!task) throw snapshot.abort
    const now = moment(snapshot.fetchedAt)
    const isMoved = body.status !== undefined && body.status !== task.status
    return { id: task.id, ...body, updatedAt: now, ...(isMoved && { completedAt: completion(body.status, now) }) }
  },
})

/** Moves a task to a place in a column. */
export const moveTask = changeTask.extend({
  path: '/api/tasks/:id/move',
  body: {} as TaskMove,
  getOptimisticResponse(snapshot, { id }, { status, position, after }) {
    const task = snapshot.get(Task, { id })
    if (!task) throw snapshot.abort
    const now = moment(snapshot.fetchedAt)
    const completedAt = status === task.status ? task.completedAt : completion(status, now)
    const place = position ?? snapshot.get(Task, { id: after ?? 0 })?.position ?? task.position
    return { id: task.id, status, position: place, completedAt, updatedAt: now }
  },
})

/** Deletes a task. */
export const deleteTask = tasks.delete

function completion(status: Status | undefined, now: string): string | null {
  return status === 'done' ? now : null
}

function moment(time: number | undefined): string {
  return new Date(time ?? Date.now()).toISOString()
}
