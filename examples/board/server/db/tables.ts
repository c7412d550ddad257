import type { ColumnType, Generated, Insertable, Kysely, Selectable } from 'kysely'

/** The columns of the board, from left to right. */
export const STATUSES = ['todo', 'doing', 'review', 'done'] as const

export type Status = (typeof STATUSES)[number]

type Timestamp = ColumnType<Date, Date, Date>
type NullableTimestamp = ColumnType<Date | null, Date | null, Date | null>

export interface ProjectTable {
  id: Generated<number>
  name: string
  slug: string
  color: string
  description: string
  /** The first and the last day of the plan, as `YYYY-MM-DD`: the ends of the burn-down's straight line. */
  startsOn: string
  endsOn: string
}

export interface PersonTable {
  id: Generated<number>
  name: string
  initials: string
  color: string
}

export interface TaskTable {
  id: Generated<number>
  projectId: number
  title: string
  status: Status
  assigneeId: number | null
  /** The place within the column: smaller is higher. Fractions make room between neighbours. */
  position: number
  /** A day as `YYYY-MM-DD`: text, because the drivers disagree about the time zone of a `date`. */
  dueDate: string | null
  createdAt: Timestamp
  /** When the status became `done`; null while it is anything else. */
  completedAt: NullableTimestamp
  updatedAt: Timestamp
}

export interface CommentTable {
  id: Generated<number>
  taskId: number
  authorId: number
  body: string
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface SessionTable {
  /** SHA-256 of the token: who reads the table cannot log in with it. */
  tokenHash: string
  personId: number
  createdAt: Timestamp
  expiresAt: Timestamp
}

export interface DeletionTable {
  taskId: number
  deletedAt: Timestamp
}

export interface AnswerTable {
  /** The user of the key; 0 for anonymous users. */
  personId: number
  /** The `Idempotency-Key` of the request. */
  key: string
  /** SHA-256 of the request's method, path and body: another request with the same key is a mistake. */
  requestHash: string
  /** The response as JSON; '' inside the transaction, until the change has been made. */
  answer: string
  answeredAt: Timestamp
}

export interface Tables {
  projects: ProjectTable
  people: PersonTable
  tasks: TaskTable
  comments: CommentTable
  sessions: SessionTable
  deletions: DeletionTable
  answers: AnswerTable
}

export type Database = Kysely<Tables>
export type Project = Selectable<ProjectTable>
export type Person = Selectable<PersonTable>
export type Task = Selectable<TaskTable>
export type NewTask = Insertable<TaskTable>
export type Comment = Selectable<CommentTable>
