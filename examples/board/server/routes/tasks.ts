import { Hono } from 'hono'
import { STATUSES } from '../db/tables.js'
import { deleteTask, findTask, insertTask, updateTask } from '../db/tasks.js'
import { readBody } from '../http/body.js'
import { BadInput, NotFound } from '../http/errors.js'
import { day, id, nullable, number, oneOf, optional, text, withDefault } from '../input/field.js'
import { idParameter } from '../input/id-parameter.js'
import { readPart, readWhole } from '../input/read.js'
import type { Services } from '../services.js'
import { applyOnce } from './apply-once.js'
import { listChanges } from './task-changes.js'
import { listTasks } from './task-list.js'
import { moveTask } from './task-move.js'
import { streamTasks } from './task-stream.js'

const task = {
  projectId: id,
  title: text(1, 200),
  status: oneOf(STATUSES),
  assigneeId: nullable(id),
  position: number,
  dueDate: nullable(day),
}

const newTask = {
  ...task,
  status: withDefault(task.status, 'todo'),
  assigneeId: withDefault(task.assigneeId, null),
  position: optional(number),
  dueDate: withDefault(task.dueDate, null),
}

// A client that replaces a task sends back the one that it has read. Fields that only the server sets may be in it, and
// are ignored.
const passedOver = () => ({ value: undefined })
const wholeTask = { ...task, id: optional(id), createdAt: passedOver, completedAt: passedOver, updatedAt: passedOver }

/** `/api/tasks`: list, read, create, replace, change, move and delete. */
export function taskRoutes(services: Services): Hono {
  const { db, now } = services
  const routes = new Hono()

  routes.get('/', (c) => listTasks(c, services))

  routes.post('/', async (c) => {
    const values = readWhole(newTask, await readBody(c))
    return applyOnce(c, services, async (db) => {
      const created = await insertTask(db, values, now())
      return { status: 201, headers: { location: `/api/tasks/${created.id}` }, body: created, changed: [created.id] }
    })
  })

  routes.get('/changes', (c) => listChanges(c, services))

  routes.get('/events', (c) => streamTasks(c, services))

  routes.get('/:id', async (c) => {
    const id = idParameter(c, 'task')
    return c.json(found(await findTask(db, id), id))
  })

  routes.put('/:id', async (c) => {
    const id = idParameter(c, 'task')
    const values = readWhole(wholeTask, await readBody(c))
    if (values.id !== undefined && values.id !== id) throw new BadInput([{ path: 'id', message: `must be ${id}` }])
    const { projectId, title, status, assigneeId, position, dueDate } = values
    const replacement = { projectId, title, status, assigneeId, position, dueDate }
    return applyOnce(c, services, async (db) => ({
      status: 200,
      body: found(await updateTask(db, id, replacement, now()), id),
      changed: [id],
    }))
  })

  routes.patch('/:id', async (c) => {
    const id = idParameter(c, 'task')
    const values = readPart(task, await readBody(c))
    return applyOnce(c, services, async (db) => ({
      status: 200,
      body: found(await updateTask(db, id, values, now()), id),
      changed: [id],
    }))
  })

  routes.on(['POST', 'PATCH'], '/:id/move', (c) => moveTask(c, services))

  routes.delete('/:id', async (c) => {
    const id = idParameter(c, 'task')
    return applyOnce(c, services, async (db) => {
      if (!(await deleteTask(db, id, now()))) throw new NotFound('task', id)
      return { status: 204, changed: [id] }
    })
  })

  return routes
}

function found<Row>(row: Row | undefined, id: number): Row {
  if (row === undefined) throw new NotFound('task', id)
  return row
}
