import { useController, useSuspense } from '@roundtable/react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { STATUSES, type Status, type Task } from '../api/task.js'
import { allOf, getTasks } from '../api/tasks.js'
import { dayOf } from '../app/dates.js'
import { $taskId } from '../app/selection.js'
import { ActsProvider } from './acts.js'
import { Column } from './column.js'
import { startDrags } from './drag.js'
import { type ColumnTasks, columnMaker } from './group.js'
import { pressOnCard } from './keys.js'
import { makeActs } from './make-acts.js'
import { useAtom } from './use-atom.js'

/** The four columns with the tasks of a project, or of all. */
export function Columns({ projectId, colors, filter, isStale }: ColumnsProps): ReactNode {
  const controller = useController()
  const tasks = useSuspense(getTasks, allOf(projectId))
  const [layOut] = useState(columnMaker)
  const columns = useMemo(() => layOut(tasks, filter), [layOut, tasks, filter])
  const root = useRef<HTMLDivElement>(null)
  const latest = useRef(columns)
  const [edited, setEdited] = useState<number>()
  const [wanted, setWanted] = useState<number>()
  const [composing, setComposing] = useState<Status>()
  const [acts] = useState(() =>
    makeActs(controller, { columns: () => latest.current, setEdited, setWanted, setComposing }),
  )
  const chosen = useAtom($taskId)
  const today = dayOf(Date.now())

  useLayoutEffect(() => {
    latest.current = columns
  }, [columns])

  useEffect(() => {
    if (root.current === null) return
    return startDrags(root.current, (id, status, index) => {
      const task = find(latest.current, id)
      if (task) acts.place(task, status, index)
    })
  }, [acts])

  function onClick({ target }: MouseEvent): void {
    const task = taskAt(columns, target)
    if (task) acts.choose(task)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const task = event.ctrlKey || event.metaKey || event.altKey ? undefined : taskAt(columns, event.target)
    const focus = (next: Task | undefined): void => setWanted(next?.id)
    if (task && pressOnCard(event, task, { columns, acts, focus })) event.preventDefault()
  }

  return (
    <ActsProvider value={acts}>
      {/* The cards inside are buttons: this only hears what bubbles up from them. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above. */}
      <div className={isStale ? 'columns is-stale' : 'columns'} ref={root} onClick={onClick} onKeyDown={onKeyDown}>
        {STATUSES.map((status) => {
          const holds = (id: number | undefined): boolean => find(columns, id)?.status === status
          return (
            <Column
              key={status}
              status={status}
              tasks={columns[status]}
              today={today}
              colors={colors}
              chosen={holds(chosen) ? chosen : undefined}
              edited={holds(edited) ? edited : undefined}
              wanted={holds(wanted) ? wanted : undefined}
              isFiltered={filter !== ''}
              isComposing={composing === status}
            />
          )
        })}
      </div>
    </ActsProvider>
  )
}

interface ColumnsProps {
  readonly projectId: number | undefined
  /** The colours of projects, where several are shown. */
  readonly colors: ReadonlyMap<number, string> | undefined
  /** Only tasks with these words in their title. */
  readonly filter: string
  /** Whether something newer is on its way. */
  readonly isStale: boolean
}

/** The task whose card's own button was pressed. */
function taskAt(columns: ColumnTasks, target: EventTarget): Task | undefined {
  const button = target instanceof Element ? target.closest('.card-open') : null
  return find(columns, Number(button?.closest<HTMLElement>('[data-task]')?.dataset.task))
}

function find(columns: ColumnTasks, id: number | undefined): Task | undefined {
  if (id === undefined || Number.isNaN(id)) return undefined
  for (const status of STATUSES) {
    const found = columns[status].find((task) => task.id === id)
    if (found) return found
  }
  return undefined
}
