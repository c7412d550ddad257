import { rankOf } from '../api/place.js'
import { STATUSES, type Status, type Task } from '../api/task.js'

/** The tasks of each column, from top to bottom. */
export type ColumnTasks = Readonly<Record<Status, readonly Task[]>>

/**
 * Makes a function that lays tasks out in columns. A column in which nothing changed is the same array as before, so
 * whoever shows it has nothing to do.
 */
export function columnMaker(): (tasks: readonly Task[], filter: string) => ColumnTasks {
  let before: ColumnTasks = { todo: [], doing: [], review: [], done: [] }
  return (tasks, filter) => {
    const next = layOut(tasks, filter.trim().toLowerCase())
    for (const status of STATUSES) if (isSame(before[status], next[status])) next[status] = before[status]
    before = next
    return next
  }
}

function layOut(tasks: readonly Task[], words: string): Record<Status, readonly Task[]> {
  const columns: Record<Status, Task[]> = { todo: [], doing: [], review: [], done: [] }
  for (const task of tasks) {
    if (words === '' || task.title.toLowerCase().includes(words)) columns[task.status].push(task)
  }
  for (const status of STATUSES) columns[status].sort(byRank)
  return columns
}

function byRank(a: Task, b: Task): number {
  return rankOf(a) - rankOf(b) || a.id - b.id
}

function isSame(a: readonly Task[], b: readonly Task[]): boolean {
  return a.length === b.length && a.every((task, index) => task === b[index])
}
