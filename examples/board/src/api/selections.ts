import { All, countBy } from '@roundtable/core'
import { Task } from './task.js'

// Everything that the insights show is kept up to date by these: a changed task costs its own share, however many there are.
// Counts are for each project, so that another project is a matter of adding up: `3/done` is a group of the third.

const tasks = new All(Task)
const openTasks = new All(Task, { belongs: isOpen })

/** The number of tasks by status. */
export const tasksByStatus = countBy(tasks, ({ projectId, status }) => `${projectId}/${status}`)

/** The number of tasks created per day, in UTC. */
export const tasksByCreation = countBy(tasks, ({ projectId, createdAt }) => `${projectId}/${createdAt.slice(0, 10)}`)

/** The number of tasks completed per day, in UTC; '' for open tasks. */
export const tasksByCompletion = countBy(
  tasks,
  ({ projectId, completedAt }) => `${projectId}/${completedAt?.slice(0, 10) ?? ''}`,
)

/** The number of open tasks due per day; '' for those without a due date. */
export const openByDueDay = countBy(openTasks, ({ projectId, dueDate }) => `${projectId}/${dueDate ?? ''}`)

/** The numbers of open tasks with and without an assignee. */
export const openByOwner = countBy(
  openTasks,
  ({ projectId, assigneeId }) => `${projectId}/${assigneeId === null ? 'nobody' : 'somebody'}` as const,
)

/** The groups of one project, or of all together. */
export function countsOf(
  counts: Readonly<Record<string, number | undefined>> | undefined,
  projectId: number | undefined,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const [name, count] of Object.entries(counts ?? {})) {
    const [project, group = ''] = name.split('/')
    if (projectId === undefined || Number(project) === projectId) sums.set(group, (sums.get(group) ?? 0) + (count ?? 0))
  }
  return sums
}

/** The tasks that changed last, of a project or of all. */
export const latestTasks = new All(Task, {
  belongs: isOf,
  compare: (a, b) => compare(b.updatedAt, a.updatedAt) || b.id - a.id,
  limit: 40,
})

/** The open tasks that are due next, of a project or of all. */
export const nextTasks = new All(Task, {
  belongs: (task, filter: ProjectFilter) => isOpen(task) && task.dueDate !== null && isOf(task, filter),
  compare: (a, b) => compare(a.dueDate ?? '', b.dueDate ?? '') || a.id - b.id,
  limit: 40,
})

interface ProjectFilter {
  /** Undefined for all projects. */
  readonly projectId: number | undefined
}

function isOf(task: Task, { projectId }: ProjectFilter): boolean {
  return projectId === undefined || task.projectId === projectId
}

function isOpen({ status }: Task): boolean {
  return status !== 'done'
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
