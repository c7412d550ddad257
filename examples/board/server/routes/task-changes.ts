import type { Context } from 'hono'
import { findChanges } from '../db/changes.js'
import { queryOf } from '../http/switches.js'
import { instant } from '../input/field.js'
import { readQuery } from '../input/read.js'
import type { Services } from '../services.js'
import { EVENT_ID } from './task-stream.js'

/**
 * `GET /api/tasks/changes`: the tasks that were added, changed or deleted since a point in time, and the point from which to
 * ask next. While nothing happens the response stays the same. `x-event-id` says up to which event of the stream it
 * knows all.
 */
export async function listChanges(c: Context, { db, news }: Services): Promise<Response> {
  const { since } = readQuery({ since: instant }, queryOf(c.req.url))
  // Before the rows: what changes while they are read is in the stream behind it.
  c.header(EVENT_ID, news.position)
  return c.json(await findChanges(db, since))
}
