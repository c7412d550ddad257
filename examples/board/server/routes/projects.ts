import { Hono } from 'hono'
import { NotFound } from '../http/errors.js'
import { idParameter } from '../input/id-parameter.js'
import type { Services } from '../services.js'
import { csvOf } from './csv.js'

/** `/api/projects`: the projects, and the tasks of one as a file. */
export function projectRoutes({ db }: Services): Hono {
  const routes = new Hono()

  routes.get('/', async (c) => c.json(await db.selectFrom('projects').selectAll().orderBy('id').execute()))

  routes.get('/:id', async (c) => c.json(await project(idParameter(c, 'project'))))

  routes.get('/:id/export', async (c) => {
    const { id, slug } = await project(idParameter(c, 'project'))
    const tasks = await db
      .selectFrom('tasks')
      .leftJoin('people', 'people.id', 'tasks.assigneeId')
      .select(['tasks.id', 'title', 'status', 'people.name as assignee', 'dueDate', 'createdAt', 'completedAt'])
      .where('projectId', '=', id)
      .orderBy('tasks.id')
      .execute()
    c.header('content-type', 'text/csv; charset=utf-8')
    c.header('content-disposition', `attachment; filename="${slug}-tasks.csv"`)
    return c.body(csvOf(['id', 'title', 'status', 'assignee', 'dueDate', 'createdAt', 'completedAt'], tasks))
  })

  async function project(id: number) {
    const row = await db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
    if (row === undefined) throw new NotFound('project', id)
    return row
  }

  return routes
}
