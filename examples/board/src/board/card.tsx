import { memo, type ReactNode, useEffect, useRef } from 'react'
import { STATUS_NAMES, STATUSES, type Task } from '../api/task.js'
import { mustWait } from '../device/must-wait.js'
import { useActs } from './acts.js'
import { CardFace } from './card-face.js'
import { Icon } from './icon.js'
import { RenameField } from './rename-field.js'

/** One task on the board. It renders again when its own task or its own state changes, and for nothing else. */
export const Card = memo(function Card(props: CardProps): ReactNode {
  const { task, today, color, isChosen, isEdited, isEntry, wantsFocus } = props
  const acts = useActs()
  const open = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!wantsFocus) return
    open.current?.focus({ preventScroll: true })
    acts.focused()
  }, [wantsFocus, acts])

  return (
    <article
      className={mustWait(task) ? 'card is-new' : 'card'}
      data-task={task.id}
      data-status={task.status}
      aria-current={isChosen}
      aria-busy={mustWait(task)}
    >
      {isEdited ? (
        <RenameField task={task} />
      ) : (
        <CardFace task={task} today={today} color={color} tabIndex={isEntry ? 0 : -1} openRef={open} />
      )}
      {!isEdited && !mustWait(task) && <Tools task={task} />}
    </article>
  )
})

/** The props of a card. All are compared by identity. */
export interface CardProps {
  readonly task: Task
  readonly today: string
  readonly color: string | undefined
  readonly isChosen: boolean
  readonly isEdited: boolean
  /** Whether the Tab key enters the column at this card; arrow keys reach the others. */
  readonly isEntry: boolean
  readonly wantsFocus: boolean
}

function Tools({ task }: { readonly task: Task }): ReactNode {
  const acts = useActs()
  const at = STATUSES.indexOf(task.status)
  return (
    <span className="card-tools">
      <Shift task={task} by={-1} to={at - 1} />
      <Shift task={task} by={1} to={at + 1} />
      <button
        type="button"
        className="icon-button"
        tabIndex={-1}
        aria-label="Rename"
        title="Rename (F2)"
        onClick={() => acts.edit(task)}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        className="icon-button is-danger"
        tabIndex={-1}
        aria-label="Delete"
        title="Delete (Del)"
        onClick={() => acts.remove(task)}
      >
        <Icon name="trash" />
      </button>
    </span>
  )
}

function Shift({ task, by, to }: { readonly task: Task; readonly by: 1 | -1; readonly to: number }): ReactNode {
  const acts = useActs()
  const status = STATUSES[to]
  if (status === undefined) return null
  const label = `Move to ${STATUS_NAMES[status]}`
  return (
    <button
      type="button"
      className="icon-button"
      tabIndex={-1}
      aria-label={label}
      title={label}
      onClick={() => acts.shift(task, by)}
    >
      <Icon name={by === 1 ? 'right' : 'left'} />
    </button>
  )
}
