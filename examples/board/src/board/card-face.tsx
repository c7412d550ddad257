import type { ReactNode } from 'react'
import type { Task } from '../api/task.js'
import { shortDay } from '../app/dates.js'
import { mustWait } from '../device/must-wait.js'
import { store } from '../device/store.js'
import type {} from './css-variables.js'
import { Icon } from './icon.js'
import { Pending } from './pending.js'

/** The content of a card: the title, when it is due, and who does it. */
export function CardFace({ task, today, color, tabIndex, openRef }: CardFaceProps): ReactNode {
  const { title, assignee, dueDate } = task
  return (
    <>
      <button type="button" className="card-open" tabIndex={tabIndex} ref={openRef}>
        <span className="card-title">{title}</span>
      </button>
      <span className="card-foot">
        {color && <span className="dot" style={{ '--color': color }} />}
        {store && <Pending id={task.id} />}
        {dueDate && <Due dueDate={dueDate} isLate={task.status !== 'done' && dueDate < today} />}
        {mustWait(task) && <span>Saving …</span>}
        {assignee ? (
          <span className="avatar" style={{ '--color': assignee.color }} title={assignee.name}>
            {assignee.initials}
          </span>
        ) : (
          <span className="avatar is-nobody" title="Nobody yet" />
        )}
      </span>
    </>
  )
}

interface CardFaceProps {
  readonly task: Task
  /** A day: `2026-03-02`. */
  readonly today: string
  /** The colour of the task's project, where several are shown. */
  readonly color: string | undefined
  readonly tabIndex: number
  readonly openRef: React.Ref<HTMLButtonElement>
}

function Due({ dueDate, isLate }: { readonly dueDate: string; readonly isLate: boolean }): ReactNode {
  return (
    <time className={isLate ? 'due is-late' : 'due'} dateTime={dueDate} title={isLate ? 'Overdue' : 'Due'}>
      <Icon name="due" />
      {shortDay(dueDate)}
    </time>
  )
}
