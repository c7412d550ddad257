import { useQuery } from '@roundtable/react'
import { memo, type ReactNode } from 'react'
import { type ColumnFilter, columnTasks } from '../api/columns.js'
import { STATUS_NAMES } from '../api/task.js'
import { useActs } from './acts.js'
import { Composer } from './composer.js'
import { Icon } from './icon.js'
import { TaskList, type TaskListProps } from './task-list.js'

/** A column: its name, how many tasks it has, and the tasks. */
export const Column = memo(function Column({ isComposing, projectId, words, ...rest }: ColumnProps): ReactNode {
  const acts = useActs()
  const { status } = rest
  const tasks = useQuery(columnTasks, { status, projectId, words }) ?? []
  return (
    <section className="column" data-status={status} aria-label={STATUS_NAMES[status]}>
      <header className="column-head">
        <span className="dot" />
        <h3>{STATUS_NAMES[status]}</h3>
        <span className="count">{tasks.length.toLocaleString('en')}</span>
        <button
          type="button"
          className="icon-button push"
          aria-label={`New task in ${STATUS_NAMES[status]}`}
          title="New task"
          aria-expanded={isComposing}
          onClick={() => acts.compose(isComposing ? undefined : status)}
        >
          <Icon name={isComposing ? 'close' : 'add'} />
        </button>
      </header>
      {isComposing && <Composer status={status} />}
      <TaskList {...rest} tasks={tasks} isFiltered={words !== ''} />
    </section>
  )
})

interface ColumnProps extends ColumnFilter, Omit<TaskListProps, 'tasks' | 'isFiltered'> {
  /** Whether the field for a new task is open. */
  readonly isComposing: boolean
}
