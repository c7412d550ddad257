import type { Controller } from '@roundtable/core'
import { indexIn } from '../api/columns.js'
import { moveTo, topOf } from '../api/place.js'
import { STATUSES, type Status, type Task } from '../api/task.js'
import { changeTask, createTask, deleteTask, moveTask } from '../api/tasks.js'
import { attempt, inform } from '../app/notices.js'
import { $taskId } from '../app/selection.js'
import { mustWait } from '../device/must-wait.js'
import type { BoardActs } from './acts.js'

/** The state of the board that the actions change. */
export interface BoardState {
  /** The tasks of a column as they are shown. */
  column(status: Status): readonly Task[]
  setEdited(id: number | undefined): void
  setComposing(status: Status | undefined): void
  /** Asks for the focus on a task's card. */
  setWanted(id: number | undefined): void
}

/** Creates the board's actions: each is one request with an optimistic change. */
export function makeActs(controller: Controller, state: BoardState): BoardActs {
  function place(task: Task, status: Status, index: number): void {
    const column = state.column(status)
    const from = indexIn(column, task)
    const to = Math.max(0, Math.min(from >= 0 && from < index ? index - 1 : index, column.length))
    if (from === to || mustWait(task)) return
    const move = moveTo(column, { status, index: to, from, task })
    state.setWanted(task.id)
    void attempt(`Moving “${task.title}”`, async () => {
      await controller.fetch(moveTask, { id: task.id }, move)
    })
  }

  return {
    place,
    choose: (task) => $taskId.set(task.id),
    compose: state.setComposing,
    focused: () => state.setWanted(undefined),
    edit(task) {
      state.setEdited(task?.id)
    },
    rename(task, title) {
      state.setWanted(task.id)
      void attempt(`Renaming “${task.title}”`, () => controller.fetch(changeTask, { id: task.id }, { title }), title)
    },
    shift(task, by) {
      const status = STATUSES[STATUSES.indexOf(task.status) + by]
      // At the top, where it can be seen.
      if (status !== undefined) place(task, status, 0)
    },
    remove(task) {
      const column = state.column(task.status)
      const at = indexIn(column, task)
      state.setWanted((column[at + 1] ?? column[at - 1])?.id)
      void remove(controller, task)
    },
    create(title, status, projectId) {
      const position = topOf(state.column(status))
      void attempt(
        `Adding “${title}”`,
        () => controller.fetch(createTask, { projectId, title, status, position }),
        title,
      )
    },
  }
}

async function remove(controller: Controller, task: Task): Promise<void> {
  const { id, title, projectId, status, position, assigneeId, dueDate } = task
  const isChosen = $taskId.get() === id
  if (isChosen) {
    $taskId.set(undefined)
    // Close the detail first: it would fetch the task that is being deleted.
    await new Promise((resolve) => setTimeout(resolve))
  }
  const isGone = await attempt(`Deleting “${title}”`, () => controller.fetch(deleteTask, { id }))
  if (!isGone && isChosen) $taskId.set(id)
  if (!isGone) return
  inform(`Deleted “${title}”`, 'Put back as a new task', () => {
    const again = { projectId, title, status, position, assigneeId, dueDate }
    void attempt(`Putting back “${title}”`, () => controller.fetch(createTask, again), title)
  })
}
