import type { Controller } from '@roundtable/core'
import { Task } from '../api/task.js'

/** A request as people read it: the method, the address, and what it is about. */
export function describe(controller: Controller, key: string, args: readonly unknown[]): string {
  const [method = '', url = ''] = key.split(' ')
  const title = titleOf(controller, args)
  const about = title === undefined ? '' : ` “${title}”`
  return `${method} ${pathOf(url)}${about}${changesOf(args.at(-1))}`
}

/** An address without what all have, and what nobody reads. */
export function pathOf(url: string): string {
  return url.replace(/^\/api/, '').replace(/\bcursor=[^&]*/, 'cursor=…')
}

/** The title of the task that the arguments name. */
function titleOf(controller: Controller, [params]: readonly unknown[]): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined
  if ('title' in params) return String(params.title)
  const id = 'id' in params ? params.id : 'taskId' in params ? params.taskId : undefined
  return typeof id === 'number' ? controller.get(Task, { id })?.title : undefined
}

/** The fields that a request sets, but for what stands elsewhere. */
function changesOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return ''
  const told = ['title', 'status', 'assigneeId', 'dueDate'].flatMap((field) => {
    const value: unknown = Reflect.get(body, field)
    return value === undefined ? [] : [`${field}: ${value}`]
  })
  return told.length === 0 ? '' : ` → ${told.join(', ')}`
}
