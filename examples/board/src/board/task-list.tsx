import { useController } from '@roundtable/react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { indexIn } from '../api/columns.js'
import { type Status, Task } from '../api/task.js'
import { Card } from './card.js'
import { ROW, reveal, useWindow, type Window } from './window.js'

/** The cards of a column. Only those near the visible part are rendered. */
export function TaskList(props: TaskListProps): ReactNode {
  const { tasks, status, today, colors, chosen, edited, wanted } = props
  const controller = useController()
  const scroller = useRef<HTMLDivElement>(null)
  const window = useWindow(scroller)
  const [entered, setEntered] = useState<number>()
  const entry = Math.max(0, indexOf(entered))
  const wantedAt = indexOf(wanted)

  function indexOf(id: number | undefined): number {
    const task = id === undefined ? undefined : controller.get(Task, { id })
    return task?.status === status ? indexIn(tasks, task) : -1
  }

  useLayoutEffect(() => {
    if (wantedAt >= 0 && scroller.current) reveal(scroller.current, wantedAt)
  }, [wantedAt])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears which of the buttons inside has the focus.
    <div
      className="column-scroll scroll"
      ref={scroller}
      data-column={status}
      onFocus={({ target }) => setEntered(Number(target.closest<HTMLElement>('[data-task]')?.dataset.task))}
    >
      {tasks.length === 0 && (
        <p className="column-empty">
          {props.isFiltered ? 'Nothing here has these words.' : 'Nothing here. Drop a task, or add one.'}
        </p>
      )}
      <ol className="column-list" style={{ height: tasks.length * ROW }}>
        {shownIndexes(window, tasks.length, entry, wantedAt).map((index) => {
          const task = tasks[index]
          if (task === undefined) return null
          return (
            <li
              key={task.id}
              style={{ transform: `translateY(${index * ROW}px)` }}
              aria-setsize={tasks.length}
              aria-posinset={index + 1}
            >
              <Card
                task={task}
                today={today}
                color={colors?.get(task.projectId)}
                isChosen={task.id === chosen}
                isEdited={task.id === edited}
                isEntry={index === entry}
                wantsFocus={index === wantedAt}
              />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

export interface TaskListProps {
  readonly tasks: readonly Task[]
  readonly status: Status
  readonly today: string
  /** The colours of projects, where several are shown. */
  readonly colors: ReadonlyMap<number, string> | undefined
  readonly chosen: number | undefined
  readonly edited: number | undefined
  /** The task whose card shall have the focus. */
  readonly wanted: number | undefined
  readonly isFiltered: boolean
}

/** The window, and the card at which the Tab key enters: it keeps the focus when it is scrolled away. */
function shownIndexes({ from, to }: Window, count: number, entry: number, wanted: number): readonly number[] {
  const indexes = new Set<number>()
  for (let index = from; index < Math.min(to, count); index++) indexes.add(index)
  if (entry < count) indexes.add(entry)
  if (wanted >= 0) indexes.add(wanted)
  return [...indexes].sort((a, b) => a - b)
}
