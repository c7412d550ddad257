import { All, countBy } from '@roundtable/core'
import { Task } from './task.js'

// Everything that the insights show is kept up to date by these: a changed task costs its own share, however many there are.
// Counts are for each project, so that another project is a matter of adding up: `3/done` is a group of the third.

const tasks = new All(Task)
const openTasks = new All(Task, { belongs: isOpen })

/** How many tasks have which status. */
export const tasksByStatus = countBy(tasks, ({ projectId, status }) => `${projectId}/${status}`)

/** How many tasks were made on which day, in UTC. */
export const tasksByCreation = countBy(tasks, ({ projectId, createdAt }) => `${projectId}/${createdAt.slice(0, 10)}`)

/** How many tasks were completed on which day, in UTC; '' for those that are open. */
export const tasksByCompletion = countBy(
  tasks,
  ({ projectId, completedAt }) => `${projectId}/${completedAt?.slice(0, 10) ?? ''}`,
)

/** How many open tasks are due on which day; '' for those without. */
export const openByDueDay = countBy(openTasks, ({ projectId, dueDate }) => `${projectId}/${dueDate ?? ''}`)

/** How many open tasks are somebody's and nobody's. */
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
