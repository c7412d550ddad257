import { Entity } from '@roundtable/core'
import { Person } from './person.js'

/** Where a task can stand, from left to right. */
export const STATUSES = ['todo', 'doing', 'review', 'done'] as const

/** Where a task stands. */
export type Status = (typeof STATUSES)[number]

/** The names of the columns. */
export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  todo: 'To do',
  doing: 'In progress',
  review: 'Review',
  done: 'Done',
}

/** A task. Its assignee is a separate row, so a renamed person is renamed on every card. */
export class Task extends Entity {
  static override key = 'Task'
  static override schema = { assignee: Person }
  id = 0
  projectId = 0
  title = ''
  status: Status = 'todo'
  assigneeId: number | null = null
  assignee: Person | null | undefined = undefined
  /** Smaller is higher in its column. */
  position = 0
  /** A day: `2026-03-02`. */
  dueDate: string | null = null
  createdAt = ''
  completedAt: string | null = null
  updatedAt = ''

  // The server sends the key alone; as a relation it becomes the person.
  static override process(input: unknown): unknown {
    return hasAssignee(input) ? { ...input, assignee: input.assigneeId } : input
  }
}

function hasAssignee(input: unknown): input is { assigneeId: number | null } {
  return typeof input === 'object' && input !== null && 'assigneeId' in input
}
