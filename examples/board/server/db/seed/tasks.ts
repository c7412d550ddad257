import type { Insertable } from 'kysely'
import { GAP } from '../position.js'
import type { Status, TaskTable } from '../tables.js'
import type { Dice } from './dice.js'
import { PEOPLE } from './people.js'
import type { ProjectPlan } from './projects.js'
import { titlesOf } from './titles.js'

/** A task as the seed writes it. */
export type SeedTask = Insertable<TaskTable> & { id: number }

/** The days before and after today that the seed covers. */
export const SPAN = 60

const HOUR = 3_600_000
const DAY = 24 * HOUR

/**
 * Makes the tasks of a project. Most exist from the first days and the rest come in little by little; they are
 * completed on working days, slowly at first and then faster, so that a burn-down has the shape of real work.
 */
export function tasksOf(plan: ProjectPlan, projectId: number, firstId: number, now: Date, dice: Dice): SeedTask[] {
  const doneCount = Math.round(plan.taskCount * plan.progress)
  const places = new Map<Status, number>()
  return titlesOf(plan, dice).map((title, index) => {
    const createdAt = workingTime(now, -SPAN + creationDay(dice), dice)
    const completedAt = index < doneCount ? completion(index / doneCount, createdAt, now, dice) : null
    const status = completedAt === null ? openStatus(dice) : 'done'
    const place = (places.get(status) ?? 0) + 1
    places.set(status, place)
    return {
      id: firstId + index,
      projectId,
      title,
      status,
      assigneeId: status === 'todo' && dice.roll() < 0.3 ? null : dice.between(1, PEOPLE.length),
      position: place * GAP,
      dueDate: dice.roll() < 0.12 ? null : dueDay(createdAt, completedAt, now, dice),
      createdAt,
      completedAt,
      updatedAt: completedAt ?? new Date(Math.min(now.getTime(), createdAt.getTime() + dice.between(0, 72) * HOUR)),
    }
  })
}

// Three quarters in the first week; the rest until yesterday.
function creationDay(dice: Dice): number {
  return dice.roll() < 0.75 ? dice.between(0, 6) : dice.between(7, SPAN - 1)
}

// The square root makes the days denser towards today.
function completion(share: number, createdAt: Date, now: Date, dice: Dice): Date {
  const day = -SPAN + Math.floor(Math.sqrt(share) * (SPAN - 1)) + dice.between(0, 2)
  const completedAt = workingTime(now, day, dice)
  const soonest = createdAt.getTime() + dice.between(2, 30) * HOUR
  return new Date(Math.min(now.getTime(), Math.max(soonest, completedAt.getTime())))
}

function openStatus(dice: Dice): Status {
  const roll = dice.roll()
  if (roll < 0.1) return 'doing'
  return roll < 0.16 ? 'review' : 'todo'
}

// Done work was due around its completion; open work is due in the weeks to come, some of it already was.
function dueDay(createdAt: Date, completedAt: Date | null, now: Date, dice: Dice): string {
  const [from, days] = completedAt === null ? [now, dice.between(-6, SPAN)] : [completedAt, dice.between(-3, 8)]
  return dayOf(Math.max(createdAt.getTime(), from.getTime() + days * DAY))
}

/** The day of a point in time, in UTC, as `YYYY-MM-DD`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

// Between eight and six of the day so many days from now, never later than now; a weekend's work falls on its Friday.
function workingTime(now: Date, days: number, dice: Dice): Date {
  const midnight = Math.floor(now.getTime() / DAY + days) * DAY
  const weekday = new Date(midnight).getUTCDay()
  const back = weekday === 6 ? 1 : weekday === 0 ? 2 : 0
  const time = midnight - back * DAY + dice.between(8 * 60, 18 * 60) * 60_000
  return new Date(Math.min(now.getTime(), time))
}
