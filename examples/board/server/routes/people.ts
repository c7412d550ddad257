import { Hono } from 'hono'
import { NotFound } from '../http/errors.js'
import { idParameter } from '../input/id-parameter.js'
import type { Services } from '../services.js'

/** `/api/people`: who can be assigned, and who can log in. */
export function personRoutes({ db }: Services): Hono {
  const routes = new Hono()

  routes.get('/', async (c) => c.json(await db.selectFrom('people').selectAll().orderBy('id').execute()))

  routes.get('/:id', async (c) => {
    const id = idParameter(c, 'person')
    const person = await db.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst()
    if (person === undefined) throw new NotFound('person', id)
    return c.json(person)
  })

  return routes
}
