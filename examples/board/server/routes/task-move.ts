import type { Context } from 'hono'
import { type Column, type Place, positionFor } from '../db/position.js'
import { type Database, STATUSES, type Status, type Task } from '../db/tables.js'
import { findTask, updateTask } from '../db/tasks.js'
import { readBody } from '../http/body.js'
import { BadInput, NotFound } from '../http/errors.js'
import { id, number, oneOf } from '../input/field.js'
import { idParameter } from '../input/id-parameter.js'
import { readPart } from '../input/read.js'
import type { Services } from '../services.js'
import { applyOnce } from './apply-once.js'

const move = { status: oneOf(STATUSES), position: number, before: id, after: id }

/**
 * `POST` or `PATCH /api/tasks/:id/move`: puts a task into a column, at a position, or before or after another task,
 * whose column it then takes. Without a place it goes to the end. The header `x-respaced` tells that the whole
 * column got new positions because there was no number left between two neighbours.
 */
export async function moveTask(c: Context, services: Services): Promise<Response> {
  const taskId = idParameter(c, 'task')
  const wanted = readPart(move, await readBody(c))
  const places = (['position', 'before', 'after'] as const).filter((name) => wanted[name] !== undefined)
  if (places.length > 1) throw issue(places[1] ?? '', `cannot be combined with ${places[0]}`)
  return applyOnce(c, services, async (db) => {
    const { task, respaced } = await apply(db, taskId, wanted, services.now())
    const headers = respaced ? { 'x-respaced': task.status } : {}
    return { status: 200, headers, body: task, changed: respaced ? await idsOf(db, task) : [taskId] }
  })
}

async function idsOf(db: Database, { projectId, status }: Column): Promise<number[]> {
  const tasks = db.selectFrom('tasks').select('id').where('projectId', '=', projectId).where('status', '=', status)
  return (await tasks.execute()).map(({ id }) => id)
}

type Move = Partial<{ status: Status; position: number; before: number; after: number }>

async function apply(db: Database, taskId: number, wanted: Move, now: Date) {
  const task = await findTask(db, taskId)
  if (task === undefined) throw new NotFound('task', taskId)
  await lockProject(db, task.projectId)
  const neighbour = await neighbourOf(db, task, wanted)
  const status = wanted.status ?? neighbour?.status ?? task.status
  const column = { projectId: task.projectId, status }
  const { position, respaced } = await positionFor(db, column, placeOf(wanted, neighbour), taskId, now)
  const moved = await updateTask(db, taskId, { status, position }, now)
  if (moved === undefined) throw new NotFound('task', taskId)
  return { task: moved, respaced }
}

// On a server two moves can run at once; within a project they take turns, or both could pick the same gap.
async function lockProject(db: Database, projectId: number): Promise<void> {
  await db.selectFrom('projects').select('id').where('id', '=', projectId).forUpdate().execute()
}

async function neighbourOf(db: Database, task: Task, wanted: Move): Promise<Task | undefined> {
  const path = wanted.before === undefined ? 'after' : 'before'
  const neighbourId = wanted[path]
  if (neighbourId === undefined) return undefined
  if (neighbourId === task.id) throw issue(path, 'names the task itself')
  const neighbour = await findTask(db, neighbourId)
  if (neighbour === undefined) throw issue(path, 'names a task that does not exist')
  if (neighbour.projectId !== task.projectId) throw issue(path, 'names a task of another project')
  if (wanted.status !== undefined && wanted.status !== neighbour.status) {
    throw issue(path, `names a task that is ${neighbour.status}, not ${wanted.status}`)
  }
  return neighbour
}

function placeOf({ position, before }: Move, neighbour: Task | undefined): Place {
  if (position !== undefined) return { at: position }
  if (neighbour === undefined) return undefined
  return before === undefined ? { after: neighbour } : { before: neighbour }
}

function issue(path: string, message: string): BadInput {
  return new BadInput([{ path, message }])
}
