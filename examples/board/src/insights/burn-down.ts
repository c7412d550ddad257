import type { Task } from '../api/task.js'
import { addDays, daysBetween } from '../app/dates.js'

/** How the work went and shall go, day by day. */
export interface BurnDown {
  readonly firstDay: string
  readonly lastDay: string
  /** The number of open tasks at the end of each day, from the first until today. */
  readonly open: readonly number[]
  /** From today on: what would be open if each task were done on its due date. */
  readonly planned: readonly number[]
  /** The number of tasks that were completed on each day until today. */
  readonly completed: readonly number[]
  readonly peak: number
}

/** Counts the tasks' own dates; undefined where there is no task. */
export function burnDown(tasks: readonly Task[], today: string): BurnDown | undefined {
  if (tasks.length === 0) return undefined
  const firstDay = tasks.reduce((first, { createdAt }) => min(first, dayIn(createdAt)), today)
  const lastDay = tasks.reduce((last, task) => max(last, dueOf(task)), addDays(today, 7))
  const until = daysBetween(firstDay, today)
  const change = zeros(until + 1)
  const completed = zeros(until + 1)
  const due = zeros(daysBetween(today, lastDay) + 1)
  for (const task of tasks) {
    add(change, clamp(daysBetween(firstDay, dayIn(task.createdAt)), until), 1)
    const dueDate = dueOf(task)
    if (dueDate > today) add(due, daysBetween(today, dueDate), 1)
    if (task.completedAt === null) continue
    const day = clamp(daysBetween(firstDay, dayIn(task.completedAt)), until)
    add(change, day, -1)
    add(completed, day, 1)
  }
  const open = sums(change, 0)
  const planned = sums(
    due.map((count) => -count),
    open.at(-1) ?? 0,
  )
  return { firstDay, lastDay, open, planned, completed, peak: open.reduce((most, count) => Math.max(most, count), 1) }
}

/** The day of a moment, which the server writes in UTC. */
function dayIn(moment: string): string {
  return moment.slice(0, 10)
}

/** The day on which an open task is due; '' if it has none, or is done. */
function dueOf({ completedAt, dueDate }: Task): string {
  return completedAt === null ? (dueDate ?? '') : ''
}

function sums(changes: readonly number[], start: number): number[] {
  let sum = start
  return changes.map((change) => {
    sum += change
    return sum
  })
}

function zeros(length: number): number[] {
  return new Array<number>(length).fill(0)
}

function add(counts: number[], index: number, count: number): void {
  counts[index] = (counts[index] ?? 0) + count
}

function clamp(index: number, last: number): number {
  return Math.max(0, Math.min(index, last))
}

function min(a: string, b: string): string {
  return a < b ? a : b
}

function max(a: string, b: string): string {
  return a > b ? a : b
}
