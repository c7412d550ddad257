import { indexIn } from '../api/columns.js'
import { STATUSES, type Status, type Task } from '../api/task.js'
import type { BoardActs } from './acts.js'

/** The meaning of the keys on a card, for the page's help. */
export const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['↑ ↓ ← →', 'go to another card'],
  ['Shift + arrow', 'move the card'],
  ['Enter', 'open the task'],
  ['F2', 'rename'],
  ['N', 'new task in this column'],
  ['Delete', 'delete'],
]

interface KeyContext {
  /** The tasks of a column as they are shown. */
  readonly column: (status: Status) => readonly Task[]
  readonly acts: BoardActs
  /** Gives the focus to the card of a task. */
  readonly focus: (task: Task | undefined) => void
}

/** Handles a key on the focused card; returns whether it had a meaning. */
export function pressOnCard(event: Pick<KeyboardEvent, 'key' | 'shiftKey'>, task: Task, context: KeyContext): boolean {
  const { acts, focus } = context
  const column = context.column(task.status)
  const index = indexIn(column, task)
  const { key, shiftKey } = event
  if (key === 'ArrowUp') shiftKey ? acts.place(task, task.status, index - 1) : focus(column[index - 1])
  else if (key === 'ArrowDown') shiftKey ? acts.place(task, task.status, index + 2) : focus(column[index + 1])
  else if (key === 'ArrowLeft') shiftKey ? acts.shift(task, -1) : focus(beside(context, task, -1))
  else if (key === 'ArrowRight') shiftKey ? acts.shift(task, 1) : focus(beside(context, task, 1))
  else if (key === 'Home') focus(column[0])
  else if (key === 'End') focus(column.at(-1))
  else if (key === 'F2') acts.edit(task)
  else if (key === 'n' || key === 'N') acts.compose(task.status)
  else if (key === 'Delete') acts.remove(task)
  else return false
  return true
}

/** The card at the same height in the next column that has any, on that side. */
function beside({ column }: KeyContext, task: Task, by: 1 | -1): Task | undefined {
  const index = indexIn(column(task.status), task)
  for (let at = STATUSES.indexOf(task.status) + by; at >= 0; at += by) {
    const status = STATUSES[at]
    if (status === undefined) return undefined
    const tasks = column(status)
    if (tasks.length > 0) return tasks[Math.min(index, tasks.length - 1)]
  }
  return undefined
}
