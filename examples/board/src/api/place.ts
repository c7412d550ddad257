import type { Status, Task } from './task.js'
import type { TaskMove } from './tasks.js'

/** The distance between tasks where there is room. */
const GAP = 1024

/**
 * The position of a task in its column: smaller is higher. All projects use the same numbers; the project's id
 * separates their tasks where several are shown, and changes nothing within one.
 */
export function rankOf({ position, projectId }: Pick<Task, 'position' | 'projectId'>): number {
  return position + projectId
}

/** The move that puts a task at an index of a column, counted without the task itself, which is at `from` or else -1. */
export function moveTo(column: readonly Task[], { status, index, from, task }: Target): TaskMove {
  const other = (at: number): Task | undefined => column[from >= 0 && at >= from ? at + 1 : at]
  const above = other(index - 1)
  const below = other(index)
  const rank = between(above && rankOf(above), below && rankOf(below))
  if (rank !== undefined) return { status, position: rank - task.projectId }
  // No number is left between the two: the server lays the column out anew.
  return above?.projectId === task.projectId
    ? { status, after: above.id }
    : { status, position: above?.position ?? GAP }
}

interface Target {
  readonly status: Status
  readonly index: number
  readonly from: number
  readonly task: Task
}

/** The position above everything that a column holds. */
export function topOf([top]: readonly Task[]): number {
  return Math.min(top?.position ?? 2 * GAP, 2 * GAP) - GAP
}

function between(above: number | undefined, below: number | undefined): number | undefined {
  if (above === undefined) return below === undefined ? GAP : below - GAP
  if (below === undefined) return above + GAP
  const middle = (above + below) / 2
  return middle > above && middle < below ? middle : undefined
}
