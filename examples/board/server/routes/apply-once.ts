import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { Database, Person } from '../db/tables.js'
import { ApiError } from '../http/errors.js'
import { text } from '../input/field.js'
import { readWhole } from '../input/read.js'
import type { Services } from '../services.js'
import { personOf } from './session.js'

/** The response to a change, in a form that can be stored with it. */
export interface Answer {
  readonly status: 200 | 201 | 204
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; left out for 204. */
  readonly body?: object
}

/** The result of a change. */
export interface Outcome extends Answer {
  /** The ids of the changed tasks; omitted if there are none. */
  readonly changed?: readonly number[]
}

/** A change in a transaction, and who wants it. */
export type Change = (db: Database, person: Person | undefined) => Promise<Outcome>

const HEADER = 'Idempotency-Key'
const DAYS = 30
const DAY = 24 * 60 * 60 * 1000

/**
 * Makes a change in a transaction and answers. If the request names itself by an `Idempotency-Key`, the transaction
 * also stores the answer, and the same person gets it again for the same key: a client that has lost its connection, or
 * a server that was killed before it could answer, leads to no second change. Those who listen are told of the tasks
 * that it has changed. A refusal is thrown, so the transaction is rolled back and the key is free.
 *
 * @throws ApiError 422 if the key belongs to another request of this person.
 */
export async function applyOnce(c: Context, services: Services, change: Change): Promise<Response> {
  const person = await personOf(c, services)
  const key = c.req.header(HEADER)
  const run = key === undefined ? change : once(await requestOf(c, key, person), services.now(), change)
  const { status, headers = {}, body, changed = [] } = await services.db.transaction().execute((db) => run(db, person))
  if (changed.length > 0) services.news.tell({ ids: changed, isNew: status === 201, by: key })
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  return body === undefined ? c.body(null, status) : c.json(body, status === 204 ? 200 : status)
}

interface KeyedRequest {
  readonly personId: number
  readonly key: string
  readonly requestHash: string
}

async function requestOf(c: Context, raw: string, person: Person | undefined): Promise<KeyedRequest> {
  const key = readWhole({ [HEADER]: text(1, 200) }, { [HEADER]: raw })[HEADER] ?? raw
  const hash = createHash('sha256').update(`${c.req.method} ${c.req.path}\n${await c.req.text()}`)
  return { personId: person?.id ?? 0, key, requestHash: hash.digest('hex') }
}

function once(request: KeyedRequest, now: Date, change: Change): Change {
  const { personId, key, requestHash } = request
  return async (db, person) => {
    await db
      .deleteFrom('answers')
      .where('answeredAt', '<=', new Date(now.getTime() - DAYS * DAY))
      .execute()
    // While another transaction makes the change of this key, this waits for its end.
    const taken = await db
      .insertInto('answers')
      .values({ ...request, answer: '', answeredAt: now })
      .onConflict((conflict) => conflict.columns(['personId', 'key']).doNothing())
      .returning('key')
      .executeTakeFirst()
    const own = db.selectFrom('answers').selectAll().where('personId', '=', personId).where('key', '=', key)
    if (taken === undefined) return answerOf(await own.executeTakeFirstOrThrow(), requestHash)
    const { changed, ...answer } = await change(db, person)
    await db
      .updateTable('answers')
      .set({ answer: JSON.stringify(answer) })
      .where('personId', '=', personId)
      .where('key', '=', key)
      .execute()
    return { ...answer, ...(changed && { changed }) }
  }
}

function answerOf(stored: { readonly answer: string; readonly requestHash: string }, requestHash: string): Answer {
  if (stored.requestHash !== requestHash)
    throw new ApiError(422, `This ${HEADER} belongs to another request. Give each change a key of its own.`)
  // Written by this file alone.
  return JSON.parse(stored.answer) as Answer
}
