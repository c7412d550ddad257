import { sql } from 'kysely'
import type { Database, Status, Task } from './tables.js'

/** A column of the board. */
export interface Column {
  readonly projectId: number
  readonly status: Status
}

/** The place of a task within its column; by default, the end. */
export type Place = { at: number } | { before: Task } | { after: Task } | undefined

/** The distance at which tasks are laid out: room for about fifty halvings. */
export const GAP = 1024

/**
 * Finds the position of a place, between the neighbours. If no number is left between them, the column first gets new
 * positions, and `respaced` is set.
 */
export async function positionFor(
  db: Database,
  column: Column,
  place: Place,
  movingId: number | undefined,
  now: Date,
): Promise<{ position: number; respaced: boolean }> {
  if (place !== undefined && 'at' in place) return { position: place.at, respaced: false }
  const position = await between(db, column, place, movingId)
  if (position !== undefined) return { position, respaced: false }
  await respace(db, column, now)
  const roomy = await between(db, column, await reread(db, place), movingId)
  if (roomy === undefined) throw new Error(`The column ${column.status} has no room after it was laid out anew.`)
  return { position: roomy, respaced: true }
}

type Neighbour = { before: Task } | { after: Task } | undefined

async function between(
  db: Database,
  column: Column,
  place: Neighbour,
  movingId: number | undefined,
): Promise<number | undefined> {
  const others = db
    .selectFrom('tasks')
    .select('position')
    .where('projectId', '=', column.projectId)
    .where('status', '=', column.status)
    .where('id', '!=', movingId ?? 0)
  if (place === undefined) {
    const last = await others.orderBy('position', 'desc').limit(1).executeTakeFirst()
    return (last?.position ?? 0) + GAP
  }
  const isBefore = 'before' in place
  const anchor = isBefore ? place.before : place.after
  const order = isBefore ? 'desc' : 'asc'
  const beyond = await others
    .where(sql<boolean>`(position, id) ${sql.raw(isBefore ? '<' : '>')} (${anchor.position}, ${anchor.id})`)
    .orderBy('position', order)
    .orderBy('id', order)
    .limit(1)
    .executeTakeFirst()
  if (beyond === undefined) return anchor.position + (isBefore ? -GAP : GAP)
  return middle(anchor.position, beyond.position)
}

function middle(a: number, b: number): number | undefined {
  const position = (a + b) / 2
  return position > Math.min(a, b) && position < Math.max(a, b) ? position : undefined
}

async function respace(db: Database, { projectId, status }: Column, now: Date): Promise<void> {
  await db
    .updateTable('tasks')
    .from((eb) =>
      eb
        .selectFrom('tasks')
        .select(['id as rankedId', sql<number>`row_number() over (order by position, id)`.as('rank')])
        .where('projectId', '=', projectId)
        .where('status', '=', status)
        .as('ranked'),
    )
    .set({ position: sql<number>`ranked.rank * ${sql.lit(GAP)}`, updatedAt: now })
    .whereRef('tasks.id', '=', 'ranked.rankedId')
    .execute()
}

async function reread(db: Database, place: Neighbour): Promise<Neighbour> {
  if (place === undefined) return undefined
  const anchor = 'before' in place ? place.before : place.after
  const task = await db.selectFrom('tasks').selectAll().where('id', '=', anchor.id).executeTakeFirstOrThrow()
  return 'before' in place ? { before: task } : { after: task }
}
