import { useController, useSuspense } from '@roundtable/react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { columnTasks } from '../api/columns.js'
import { STATUSES, type Status, Task } from '../api/task.js'
import { getTasks } from '../api/tasks.js'
import { dayOf } from '../app/dates.js'
import { $taskId } from '../app/selection.js'
import { ActsProvider } from './acts.js'
import { Column } from './column.js'
import { startDrags } from './drag.js'
import { pressOnCard } from './keys.js'
import { makeActs } from './make-acts.js'
import { useAtom } from './use-atom.js'

/** The four columns with the tasks of a project, or of all. */
export function Columns({ projectId, colors, words, isStale }: ColumnsProps): ReactNode {
  const controller = useController()
  // The cards on top come with the first page; `loadTasks` reads the others.
  useSuspense(getTasks)
  const root = useRef<HTMLDivElement>(null)
  const shown = useRef({ projectId, words })
  const [edited, setEdited] = useState<number>()
  const [wanted, setWanted] = useState<number>()
  const [composing, setComposing] = useState<Status>()
  const column = (status: Status): readonly Task[] => controller.get(columnTasks, { status, ...shown.current }) ?? []
  const [acts] = useState(() => makeActs(controller, { column, setEdited, setWanted, setComposing }))
  const chosen = useAtom($taskId)
  const today = dayOf(Date.now())

  useLayoutEffect(() => {
    shown.current = { projectId, words }
  }, [projectId, words])

  useEffect(() => {
    if (root.current === null) return
    return startDrags(root.current, (id, status, index) => {
      const task = controller.get(Task, { id })
      if (task) acts.place(task, status, index)
    })
  }, [acts, controller])

  /** The task whose card's own button was pressed. */
  function taskAt(target: EventTarget): Task | undefined {
    const button = target instanceof Element ? target.closest('.card-open') : null
    const id = button?.closest<HTMLElement>('[data-task]')?.dataset.task
    return id === undefined ? undefined : controller.get(Task, { id })
  }

  function onClick({ target }: MouseEvent): void {
    const task = taskAt(target)
    if (task) acts.choose(task)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const task = event.ctrlKey || event.metaKey || event.altKey ? undefined : taskAt(event.target)
    const focus = (next: Task | undefined): void => setWanted(next?.id)
    if (task && pressOnCard(event, task, { column, acts, focus })) event.preventDefault()
  }

  return (
    <ActsProvider value={acts}>
      {/* The cards inside are buttons: this only hears what bubbles up from them. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above. */}
      <div className={isStale ? 'columns is-stale' : 'columns'} ref={root} onClick={onClick} onKeyDown={onKeyDown}>
        {STATUSES.map((status) => (
          <Column
            key={status}
            status={status}
            projectId={projectId}
            words={words}
            today={today}
            colors={colors}
            chosen={chosen}
            edited={edited}
            wanted={wanted}
            isComposing={composing === status}
          />
        ))}
      </div>
    </ActsProvider>
  )
}

interface ColumnsProps {
  readonly projectId: number | undefined
  /** The colours of projects, where several are shown. */
  readonly colors: ReadonlyMap<number, string> | undefined
  /** Only tasks with these words in their title; in lower case. */
  readonly words: string
  /** Whether something newer is on its way. */
  readonly isStale: boolean
}
