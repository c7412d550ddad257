import type { Database, Task } from './tables.js'

/** The changes of tasks since a point in time. */
export interface Changes {
  /** The tasks that were added or changed. */
  readonly tasks: readonly Task[]
  /** The ids of those that were deleted. */
  readonly deleted: readonly number[]
  /** The time of the newest change, from which to ask on. */
  readonly until: Date
}

/** Transactions of a database server commit in another order than they began; by then they are over. */
const OVERLAP = 5_000

/** Reads what has changed since a point in time. */
export async function findChanges(db: Database, since: string): Promise<Changes> {
  const until = await lastChange(db)
  const from = new Date(Date.parse(since) - OVERLAP)
  const tasks = await db.selectFrom('tasks').selectAll().where('updatedAt', '>=', from).orderBy('id').execute()
  const gone = await db
    .selectFrom('deletions')
    .select('taskId')
    .where('deletedAt', '>=', from)
    .orderBy('taskId')
    .execute()
  return { tasks, deleted: gone.map(({ taskId }) => taskId), until }
}

/** The time of the newest change of any task. */
export async function lastChange(db: Database): Promise<Date> {
  const { changedAt } = await db
    .selectFrom('tasks')
    .select((eb) => eb.fn.max('updatedAt').as('changedAt'))
    .executeTakeFirstOrThrow()
  const { deletedAt } = await db
    .selectFrom('deletions')
    .select((eb) => eb.fn.max('deletedAt').as('deletedAt'))
    .executeTakeFirstOrThrow()
  return new Date(Math.max(changedAt?.getTime() ?? 0, deletedAt?.getTime() ?? 0))
}
