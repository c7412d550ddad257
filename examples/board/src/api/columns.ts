import { All } from '@roundtable/core'
import { rankOf } from './place.js'
import { type Status, Task } from './task.js'

/** The filter of a column. */
export interface ColumnFilter {
  readonly status: Status
  /** Undefined for all projects. */
  readonly projectId: number | undefined
  /** A part of the title in lower case; '' lets all pass. */
  readonly words: string
}

/** The tasks of a column, from top to bottom. */
export const columnTasks = new All(Task, {
  belongs: (task, { status, projectId, words }: ColumnFilter) =>
    task.status === status &&
    (projectId === undefined || task.projectId === projectId) &&
    (words === '' || task.title.toLowerCase().includes(words)),
  compare: byRank,
})

/** Where a task is in a column, by binary search; -1 if it is not there. */
export function indexIn(column: readonly Task[], task: Task | undefined): number {
  if (task === undefined) return -1
  let low = 0
  let high = column.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = column[middle]
    if (other !== undefined && byRank(other, task) < 0) low = middle + 1
    else high = middle
  }
  return column[low]?.id === task.id ? low : column.findIndex(({ id }) => id === task.id)
}

/** Higher tasks come first; a task that the server has not numbered yet is below others at the same place. */
function byRank(a: Task, b: Task): number {
  return rankOf(a) - rankOf(b) || a.id - b.id
}
