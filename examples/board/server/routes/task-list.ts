import type { Context } from 'hono'
import { lastChange } from '../db/changes.js'
import type { Task } from '../db/tables.js'
import { countTasks, findTasks } from '../db/task-list.js'
import { linkHeader, type Pages } from '../http/link.js'
import { queryOf } from '../http/switches.js'
import { writeCursor } from '../input/cursor.js'
import { readTaskQuery, type TaskQuery } from '../input/task-query.js'
import type { Services } from '../services.js'

/** `GET /api/tasks`: a slice of the filtered and sorted tasks; headers tell the total and the way to the next slice. */
export async function listTasks(c: Context, { db }: Services): Promise<Response> {
  const query = queryOf(c.req.url)
  const wanted = readTaskQuery(query)
  const { filter, sort, slice, page } = wanted
  // Read before the rows, so that changes made while they are read are sent again.
  const changedAt = await lastChange(db)
  // One more than requested: it shows whether there is a next slice.
  const rows = await findTasks(db, filter, sort, { ...slice, limit: slice.limit + 1 })
  const total = await countTasks(db, filter)
  const tasks = rows.slice(0, slice.limit)
  const hasMore = rows.length > slice.limit
  const pages = page === undefined ? cursorPages(wanted, tasks, hasMore) : numberedPages(page, slice.limit, total)
  c.header('x-total-count', String(total))
  c.header('x-last-change', changedAt.toISOString())
  if (Object.keys(pages).length > 0) c.header('link', linkHeader(c.req.path, query, pages))
  return c.json(tasks)
}

function cursorPages({ sort }: TaskQuery, tasks: readonly Task[], hasMore: boolean): Pages {
  const last = tasks.at(-1)
  return hasMore && last !== undefined ? { next: { cursor: writeCursor(sort, last) } } : {}
}

function numberedPages(page: number, limit: number, total: number): Pages {
  const last = Math.max(1, Math.ceil(total / limit))
  return {
    first: { page: 1 },
    ...(page > 1 && { prev: { page: Math.min(page - 1, last) } }),
    ...(page < last && { next: { page: page + 1 } }),
    last: { page: last },
  }
}
