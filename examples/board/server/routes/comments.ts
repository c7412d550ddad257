import { Hono } from 'hono'
import { readBody } from '../http/body.js'
import { BadInput, NotFound } from '../http/errors.js'
import { queryOf } from '../http/switches.js'
import { id, idDigits, optional, text } from '../input/field.js'
import { idParameter } from '../input/id-parameter.js'
import { readQuery, readWhole } from '../input/read.js'
import type { Services } from '../services.js'
import { applyOnce } from './apply-once.js'

const body = text(1, 4000)
const newComment = { taskId: id, authorId: optional(id), body }

/** `/api/comments`: the comments on tasks. */
export function commentRoutes(services: Services): Hono {
  const { db, now } = services
  const routes = new Hono()

  routes.get('/', async (c) => {
    const { taskId } = readQuery({ taskId: idDigits }, queryOf(c.req.url))
    return c.json(await db.selectFrom('comments').selectAll().where('taskId', '=', taskId).orderBy('id').execute())
  })

  routes.post('/', async (c) => {
    const comment = readWhole(newComment, await readBody(c))
    return applyOnce(c, services, async (db, person) => {
      const authorId = comment.authorId ?? person?.id
      if (authorId === undefined)
        throw new BadInput([{ path: 'authorId', message: 'is missing, and nobody is logged in' }])
      const created = await db
        .insertInto('comments')
        .values({ taskId: comment.taskId, authorId, body: comment.body, createdAt: now(), updatedAt: now() })
        .returningAll()
        .executeTakeFirstOrThrow()
      return { status: 201, headers: { location: `/api/comments/${created.id}` }, body: created }
    })
  })

  routes.get('/:id', async (c) => {
    const id = idParameter(c, 'comment')
    return c.json(found(await db.selectFrom('comments').selectAll().where('id', '=', id).executeTakeFirst(), id))
  })

  routes.patch('/:id', async (c) => {
    const id = idParameter(c, 'comment')
    const values = readWhole({ body }, await readBody(c))
    return applyOnce(c, services, async (db) => {
      const changed = db
        .updateTable('comments')
        .set({ ...values, updatedAt: now() })
        .where('id', '=', id)
      return { status: 200, body: found(await changed.returningAll().executeTakeFirst(), id) }
    })
  })

  routes.delete('/:id', async (c) => {
    const id = idParameter(c, 'comment')
    return applyOnce(c, services, async (db) => {
      found(await db.deleteFrom('comments').where('id', '=', id).returning('id').executeTakeFirst(), id)
      return { status: 204 }
    })
  })

  return routes
}

function found<Row>(row: Row | undefined, id: number): Row {
  if (row === undefined) throw new NotFound('comment', id)
  return row
}
