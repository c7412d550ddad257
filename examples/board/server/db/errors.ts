// The foreign keys that a client's input can break, by constraint: the field that carries the id, and what it names.
const REFERENCES: ReadonlyMap<string, readonly [path: string, kind: string]> = new Map([
  ['tasks_project_id_fkey', ['projectId', 'project']],
  ['tasks_assignee_id_fkey', ['assigneeId', 'person']],
  ['comments_task_id_fkey', ['taskId', 'task']],
  ['comments_author_id_fkey', ['authorId', 'person']],
])

const FOREIGN_KEY_VIOLATION = '23503'

/** Names the field of the input that refers to a missing row, when that is what the database refused. */
export function referenceIssue(error: unknown): { path: string; message: string } | undefined {
  if (fieldOf(error, 'code') !== FOREIGN_KEY_VIOLATION) return undefined
  const reference = REFERENCES.get(fieldOf(error, 'constraint') ?? '')
  return reference && { path: reference[0], message: `names a ${reference[1]} that does not exist` }
}

/** Whether the database server went away or never was there. */
export function isUnreachable(error: unknown): boolean {
  const code = fieldOf(error, 'code') ?? ''
  return (
    /^(08|57P|ECONN|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EPIPE)/.test(code) ||
    /^Connection terminated/.test(messageOf(error))
  )
}

/**
 * Whether a query failed because of damaged files rather than the query itself: PostgreSQL's classes XX (internal
 * error, data corrupted) and 58 (a file is missing), or a crash of the embedded engine.
 */
export function isDamage(error: unknown): boolean {
  return /^(XX|58)/.test(fieldOf(error, 'code') ?? '') || fieldOf(error, 'name') === 'RuntimeError'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

function fieldOf(error: unknown, name: string): string | undefined {
  if (typeof error !== 'object' || error === null || !(name in error)) return undefined
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' ? value : undefined
}
