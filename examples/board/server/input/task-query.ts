import { STATUSES } from '../db/tables.js'
import { type Slice, SORT_FIELDS, type Sort, type TaskFilter } from '../db/task-list.js'
import { BadInput } from '../http/errors.js'
import { readCursor } from './cursor.js'
import { digits, type Field, idDigits, list, oneOf, optional, text, withDefault } from './field.js'
import { readQuery } from './read.js'

/** The parameters of `GET /api/tasks`. */
export interface TaskQuery {
  readonly filter: TaskFilter
  readonly sort: Sort
  readonly slice: Slice
  /** The number of the page, from 1; undefined when the list is read by cursor. */
  readonly page: number | undefined
}

const LARGEST_PAGE = 5000
const BY_POSITION: Sort = { field: 'position', descending: false }

const sort: Field<Sort> = (raw) => {
  const name = oneOf(SORT_FIELDS.flatMap((field) => [field, `-${field}` as const]))(raw)
  if ('problem' in name) return name
  const descending = name.value.startsWith('-')
  const field = SORT_FIELDS.find((known) => name.value.replace('-', '') === known) ?? 'position'
  return { value: { field, descending } }
}

const assignee: Field<number | null> = (raw) => {
  if (raw === 'none') return { value: null }
  const person = idDigits(raw)
  return 'problem' in person ? { problem: 'must be the id of a person, or none' } : person
}

const parameters = {
  projectId: optional(idDigits),
  status: optional(list(oneOf(STATUSES))),
  assigneeId: optional(assignee),
  q: optional(text(0, 200)),
  sort: withDefault(sort, BY_POSITION),
  limit: withDefault(digits(1, LARGEST_PAGE), 100),
  page: optional(digits(1, 1_000_000)),
  cursor: optional(text(1, 1000)),
}

/**
 * Reads the parameters of a list of tasks.
 *
 * @throws BadInput when one is not in order, or a page and a cursor are both given.
 */
export function readTaskQuery(query: URLSearchParams): TaskQuery {
  const { projectId, status, assigneeId, q, sort, limit, page, cursor } = readQuery(parameters, query)
  if (page !== undefined && cursor !== undefined) throw issue('page', 'cannot be combined with cursor')
  const last = cursor === undefined ? undefined : readCursor(sort, cursor)
  if (cursor !== undefined && last === undefined) throw issue('cursor', 'was not made for this sort')
  return {
    filter: { projectId, status, assigneeId, q: q === '' ? undefined : q },
    sort,
    slice: { limit, offset: ((page ?? 1) - 1) * limit, cursor: last },
    page,
  }
}

function issue(path: string, message: string): BadInput {
  return new BadInput([{ path, message }])
}
