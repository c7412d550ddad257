import { usePending } from '@roundtable/react/offline'
import type { ReactNode } from 'react'
import { Task } from '../api/task.js'
import { MARKS } from '../device/marks.js'

/** How far the change of a task is that waits on this device; nothing for a task without one. */
export function Pending({ id }: { readonly id: number }): ReactNode {
  const status = usePending(Task, { id })
  return (
    status && (
      <span className="mark" data-pending={status}>
        {MARKS[status]}
      </span>
    )
  )
}
