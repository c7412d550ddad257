import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.js'
import { commentsOn } from './comments.js'
import { dice as diceOf } from './dice.js'
import { PEOPLE } from './people.js'
import { PROJECTS, type ProjectPlan } from './projects.js'
import { dayOf, type SeedTask, SPAN, tasksOf } from './tasks.js'

const DAY = 24 * 3_600_000
const ROWS_AT_ONCE = 500

/** Fills the tables, the same way at every first start but for the dates, which lie around today. */
export async function seed(db: Kysely<Tables>, now: Date, taskCount: number): Promise<void> {
  const dice = diceOf(20_260)
  const tasks: SeedTask[] = []
  plansFor(taskCount).forEach((plan, index) => {
    for (const task of tasksOf(plan, index + 1, tasks.length + 1, now, dice)) tasks.push(task)
  })
  await db.insertInto('people').values(PEOPLE).execute()
  await db.insertInto('projects').values(projectRows(now)).execute()
  for (const rows of portions(tasks)) await db.insertInto('tasks').values(rows).execute()
  for (const rows of portions(commentsOn(tasks, now, dice))) await db.insertInto('comments').values(rows).execute()
  await continueIds(db)
}

/** The projects with their share of so many tasks; the last takes what rounding leaves. */
function plansFor(taskCount: number): ProjectPlan[] {
  const planned = PROJECTS.reduce((sum, plan) => sum + plan.taskCount, 0)
  let left = taskCount
  return PROJECTS.map((plan, index) => {
    const share = index === PROJECTS.length - 1 ? left : Math.round((plan.taskCount / planned) * taskCount)
    left -= share
    return { ...plan, taskCount: share }
  })
}

function projectRows(now: Date) {
  const startsOn = dayOf(now.getTime() - SPAN * DAY)
  const endsOn = dayOf(now.getTime() + SPAN * DAY)
  return PROJECTS.map(({ name, slug, color, description }) => ({ name, slug, color, description, startsOn, endsOn }))
}

function portions<Row>(rows: readonly Row[]): Row[][] {
  const count = Math.ceil(rows.length / ROWS_AT_ONCE)
  return Array.from({ length: count }, (_, at) => rows.slice(at * ROWS_AT_ONCE, (at + 1) * ROWS_AT_ONCE))
}

// The tasks came with their ids, which the table's own counter did not see.
async function continueIds(db: Kysely<Tables>): Promise<void> {
  await sql`select setval(pg_get_serial_sequence('board.tasks', 'id'), (select max(id) from board.tasks))`.execute(db)
}
