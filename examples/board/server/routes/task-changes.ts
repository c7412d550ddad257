import type { Context } from 'hono'
import { findChanges } from '../db/changes.js'
import { queryOf } from '../http/switches.js'
import { instant } from '../input/field.js'
import { readQuery } from '../input/read.js'
import type { Services } from '../services.js'

/**
 * `GET /api/tasks/changes`: the tasks that were added, changed or deleted since a point in time, and the point from which to
 * ask next. While nothing happens the response stays the same.
 */
export async function listChanges(c: Context, { db }: Services): Promise<Response> {
  const { since } = readQuery({ since: instant }, queryOf(c.req.url))
  return c.json(await findChanges(db, since))
}
