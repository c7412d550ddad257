import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Status, Tables, Task } from './tables.js'

/** The fields by which a list can be sorted. */
export const SORT_FIELDS = ['position', 'dueDate', 'title', 'createdAt', 'updatedAt', 'id'] as const

export type SortField = (typeof SORT_FIELDS)[number]

/** A field to sort by, and whether the largest comes first. */
export interface Sort {
  readonly field: SortField
  readonly descending: boolean
}

/** Which tasks a list holds; undefined lets all pass, an assignee of null means nobody. */
export interface TaskFilter {
  readonly projectId: number | undefined
  readonly status: readonly Status[] | undefined
  readonly assigneeId: number | null | undefined
  readonly q: string | undefined
}

/** The row after which a slice begins: its sort value and its id. */
export interface Cursor {
  readonly value: string | number | null
  readonly id: number
}

/** Which part of the list is read: from an offset, or after a cursor. */
export interface Slice {
  readonly limit: number
  readonly offset: number
  readonly cursor: Cursor | undefined
}

/** Reads one slice of the list. Equal sort values follow each other by id. */
export function findTasks(db: Database, filter: TaskFilter, sort: Sort, slice: Slice): Promise<Task[]> {
  const direction = sort.descending ? 'desc' : 'asc'
  return after(matching(db, filter), sort, slice.cursor)
    .selectAll()
    .orderBy(sortKey(sort, sql.ref(sort.field)), direction)
    .orderBy('id', direction)
    .limit(slice.limit)
    .offset(slice.offset)
    .execute()
}

/** Counts the tasks that the filter lets pass. */
export async function countTasks(db: Database, filter: TaskFilter): Promise<number> {
  const { count } = await matching(db, filter)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  // A count is a number on PGlite and a string on a server.
  return Number(count)
}

type TaskQuery = SelectQueryBuilder<Tables, 'tasks', object>

function matching(db: Database, { projectId, status, assigneeId, q }: TaskFilter): TaskQuery {
  let query: TaskQuery = db.selectFrom('tasks')
  if (projectId !== undefined) query = query.where('projectId', '=', projectId)
  if (status !== undefined) query = query.where('status', 'in', status)
  if (assigneeId === null) query = query.where('assigneeId', 'is', null)
  else if (assigneeId !== undefined) query = query.where('assigneeId', '=', assigneeId)
  if (q !== undefined) query = query.where('title', 'ilike', `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`)
  return query
}

function after(query: TaskQuery, sort: Sort, cursor: Cursor | undefined): TaskQuery {
  if (cursor === undefined) return query
  const row = sql`(${sortKey(sort, sql.ref(sort.field))}, ${sql.ref('id')})`
  const last = sql`(${sortKey(sort, sql`${cursor.value}`)}, ${cursor.id}::integer)`
  return query.where(sort.descending ? sql<boolean>`${row} < ${last}` : sql<boolean>`${row} > ${last}`)
}

// The values that rows are compared by: never null, so that a cursor can stand anywhere. Tasks without a due date come
// last both ways.
function sortKey({ field, descending }: Sort, operand: Expression<unknown>): Expression<unknown> {
  switch (field) {
    case 'title':
      return sql`lower(${operand}::text) collate "C"`
    case 'dueDate':
      return descending
        ? sql`coalesce(${operand}::text, '') collate "C"`
        : sql`coalesce(${operand}::text, '9999-99-99') collate "C"`
    case 'position':
      return sql`${operand}::double precision`
    case 'id':
      return sql`${operand}::integer`
    default:
      return sql`${operand}::timestamptz`
  }
}
