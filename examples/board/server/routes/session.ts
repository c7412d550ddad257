import { createHash, randomBytes } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { sql } from 'kysely'
import type { Person } from '../db/tables.js'
import { readBody } from '../http/body.js'
import { ApiError, BadInput } from '../http/errors.js'
import { text } from '../input/field.js'
import { readWhole } from '../input/read.js'
import type { Services } from '../services.js'

const COOKIE = 'session'
const DAYS = 30
const DAY = 24 * 60 * 60

/** `/api/login`, `/api/me` and `/api/logout`: a session in a cookie, or in the header `Access-Token`. */
export function sessionRoutes(services: Services): Hono {
  const { db, now } = services
  const routes = new Hono()

  routes.use(async (c, next) => {
    await next()
    // The user and the token must not be stored on disk.
    c.header('cache-control', 'no-store')
  })

  routes.post('/login', async (c) => {
    const { name } = readWhole({ name: text(1, 100) }, await readBody(c))
    const person = await db
      .selectFrom('people')
      .selectAll()
      .where(sql<boolean>`lower(name) = lower(${name})`)
      .executeTakeFirst()
    if (person === undefined) throw new BadInput([{ path: 'name', message: 'is not the name of anybody here' }])
    const token = randomBytes(32).toString('base64url')
    const createdAt = now()
    const expiresAt = new Date(createdAt.getTime() + DAYS * DAY * 1000)
    await db.deleteFrom('sessions').where('expiresAt', '<=', createdAt).execute()
    await db
      .insertInto('sessions')
      .values({ tokenHash: hash(token), personId: person.id, createdAt, expiresAt })
      .execute()
    setCookie(c, COOKIE, token, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: DAYS * DAY })
    return c.json({ token, person })
  })

  routes.get('/me', async (c) => {
    const person = await personOf(c, services)
    if (person === undefined) throw new ApiError(401, 'Nobody is logged in. Send a name to POST /api/login first.')
    return c.json(person)
  })

  routes.post('/logout', async (c) => {
    const token = tokenOf(c)
    if (token !== undefined) await db.deleteFrom('sessions').where('tokenHash', '=', hash(token)).execute()
    deleteCookie(c, COOKIE, { path: '/' })
    return c.body(null, 204)
  })

  return routes
}

/** Returns the person who sent the request; undefined when nobody is logged in. */
export function personOf(c: Context, { db, now }: Services): Promise<Person | undefined> {
  const token = tokenOf(c)
  if (token === undefined) return Promise.resolve(undefined)
  return db
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.personId')
    .selectAll('people')
    .where('tokenHash', '=', hash(token))
    .where('expiresAt', '>', now())
    .executeTakeFirst()
}

function tokenOf(c: Context): string | undefined {
  return c.req.header('access-token') ?? getCookie(c, COOKIE)
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
