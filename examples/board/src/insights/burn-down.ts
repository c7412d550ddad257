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

/** The number of tasks by day: `2026-03-02`. The day '' is for those without. */
export interface DayCounts {
  readonly created: ReadonlyMap<string, number>
  readonly completed: ReadonlyMap<string, number>
  /** Of the open tasks, by the day on which they are due. */
  readonly due: ReadonlyMap<string, number>
}

/** Adds the days up; undefined where there is no task. */
export function burnDown({ created, completed, due }: DayCounts, today: string): BurnDown | undefined {
  if (created.size === 0) return undefined
  const firstDay = [...created.keys()].reduce(min, today)
  const lastDay = [...due.keys()].reduce(max, addDays(today, 7))
  const until = daysBetween(firstDay, today)
  const dayOf = (day: string): number => clamp(daysBetween(firstDay, day), until)
  const change = zeros(until + 1)
  const done = zeros(until + 1)
  const planned = zeros(daysBetween(today, lastDay) + 1)
  for (const [day, count] of created) add(change, dayOf(day), count)
  for (const [day, count] of completed) {
    if (day === '') continue
    add(change, dayOf(day), -count)
    add(done, dayOf(day), count)
  }
  for (const [day, count] of due) if (day > today) add(planned, daysBetween(today, day), -count)
  const open = sums(change, 0)
  return {
    firstDay,
    lastDay,
    open,
    planned: sums(planned, open.at(-1) ?? 0),
    completed: done,
    peak: open.reduce((most, count) => Math.max(most, count), 1),
  }
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
