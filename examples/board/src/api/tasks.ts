import { resource } from '@roundtable/core'
import { BoardEndpoint } from './board-endpoint.js'
import { isPassing } from './is-passing.js'
import { type Status, Task } from './task.js'

/** Which tasks: those of a project, or all. */
export interface TaskFilter {
  readonly projectId?: number | undefined
  readonly limit?: number | undefined
}

/** What a new task is made of. */
export interface NewTask {
  readonly projectId: number
  readonly title: string
  readonly status: Status
  readonly position?: number
  readonly assigneeId?: number | null
  readonly dueDate?: string | null
}

/** What can be changed about a task. */
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
  searchParams: {} as TaskFilter,
  nonFilterArgumentKeys: ['limit'],
  optimistic: true,
  errorPolicy: isPassing,
  Endpoint: BoardEndpoint,
})

/** One task. */
export const getTask = tasks.get

/** The tasks of a project, or of all. Live readers ask again every ten seconds. */
export const getTasks = tasks.getList.extend({ pollFrequency: 10_000 })

/** The arguments of `getTasks` for everything that a project has: the page computes on all of it. */
export function allOf(projectId: number | undefined): TaskFilter {
  return { projectId, limit: 5000 }
}

/** Makes a task; it stands in its column before the server has heard of it. */
export const createTask = getTasks.push.extend({
  searchParams: undefined,
  body: {} as NewTask,
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

/** Changes some of a task. In another project it changes lists too. */
export const changeTask = tasks.partialUpdate.extend({
  schema: getTasks.schema.move,
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
