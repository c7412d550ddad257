import { type Expression, sql } from 'kysely'
import { positionFor } from './position.js'
import type { Database, Status, Task } from './tables.js'

/** The fields of a task that a client may set. */
export type TaskValues = Pick<Task, 'projectId' | 'title' | 'status' | 'assigneeId' | 'position' | 'dueDate'>

/** Reads one task; undefined when there is none of this id. */
export function findTask(db: Database, id: number): Promise<Task | undefined> {
  return db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Adds a task, without a position at the end of its column. Runs in the caller's transaction. */
export async function insertTask(
  db: Database,
  { position, ...values }: Omit<TaskValues, 'position'> & { position: number | undefined },
  now: Date,
): Promise<Task> {
  const place = position === undefined ? undefined : { at: position }
  const end = await positionFor(db, values, place, undefined, now)
  return await db
    .insertInto('tasks')
    .values({
      ...values,
      position: end.position,
      createdAt: now,
      completedAt: values.status === 'done' ? now : null,
      updatedAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes the given values of a task; undefined when there is none of this id. */
export function updateTask(
  db: Database,
  id: number,
  values: Partial<TaskValues>,
  now: Date,
): Promise<Task | undefined> {
  return db
    .updateTable('tasks')
    .set({ ...values, ...(values.status && { completedAt: completion(values.status, now) }), updatedAt: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes a task and remembers that it was there; false when there is none of this id. Runs in the caller's transaction. */
export async function deleteTask(db: Database, id: number, now: Date): Promise<boolean> {
  const deleted = await db.deleteFrom('tasks').where('id', '=', id).returning('id').executeTakeFirst()
  if (deleted === undefined) return false
  await db.insertInto('deletions').values({ taskId: id, deletedAt: now }).execute()
  return true
}

// A task that is done already keeps the time of its completion.
function completion(status: Status, now: Date): Expression<Date | null> {
  return status === 'done' ? sql<Date>`coalesce(${sql.ref('completedAt')}, ${now}::timestamptz)` : sql<null>`null`
}
