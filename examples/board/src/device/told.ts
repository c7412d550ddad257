import type { Controller } from '@roundtable/core'
import type { ErrorFacts, OutboxEntry } from '@roundtable/core/offline'
import { STATUS_NAMES, STATUSES, Task } from '../api/task.js'

/** A waiting change in words: the action, and the text that the user entered. */
export interface ToldEntry {
  readonly wish: string
  readonly text: string | undefined
}

/** Tells of an entry of the outbox. Its arguments are those of one of the endpoints in `store.ts`. */
export function told(controller: Controller, { name, args: [first, second] }: OutboxEntry): ToldEntry {
  const task = titleOf(controller, first)
  switch (name) {
    case 'createTask':
      return { wish: 'Add a task', text: textOf(first, 'title') }
    case 'moveTask':
      return { wish: `Move ${task} to “${statusOf(second)}”`, text: undefined }
    case 'deleteTask':
      return { wish: `Delete ${task}`, text: undefined }
    case 'addComment':
      return { wish: 'Add a comment', text: textOf(first, 'body') }
    case 'deleteComment':
      return { wish: 'Delete a comment', text: undefined }
    default:
      return changed(task, second)
  }
}

/** Why an entry was refused, or why its last attempt failed. */
export function tellError({ status, name, message }: ErrorFacts): string {
  if (status !== undefined) return `The server answered ${/responded with (.+)$/.exec(message)?.[1] ?? `${status}.`}`
  return name === 'TransportError' ? 'No answer came.' : message
}

function changed(task: string, body: unknown): ToldEntry {
  const text = textOf(body, 'title')
  if (text !== undefined) return { wish: `Rename ${task}`, text }
  const [field, value] = Object.entries(body ?? {})[0] ?? []
  return { wish: `Change ${task}`, text: field === 'status' ? statusOf(body) : `${field}: ${value ?? 'none'}` }
}

function titleOf(controller: Controller, params: unknown): string {
  const id = fieldOf(params, 'id')
  const title = typeof id === 'number' || typeof id === 'string' ? controller.get(Task, { id })?.title : undefined
  return title === undefined ? 'a task' : `“${title}”`
}

function statusOf(body: unknown): string {
  const status = STATUSES.find((one) => one === fieldOf(body, 'status'))
  return status === undefined ? 'another column' : STATUS_NAMES[status]
}

function textOf(value: unknown, field: string): string | undefined {
  const text = fieldOf(value, field)
  return typeof text === 'string' ? text : undefined
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
}
