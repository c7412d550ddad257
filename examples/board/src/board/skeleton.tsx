import type { ReactNode } from 'react'
import { STATUS_NAMES, STATUSES } from '../api/task.js'

const LENGTHS = [5, 3, 2, 4]

/** The board while its tasks are loading. */
export function BoardSkeleton(): ReactNode {
  return (
    <div className="columns" role="status" aria-label="Loading the tasks">
      {STATUSES.map((status, column) => (
        <section className="column" key={status} data-status={status}>
          <header className="column-head">
            <span className="dot" />
            <h3>{STATUS_NAMES[status]}</h3>
          </header>
          <div className="column-scroll">
            {Array.from({ length: LENGTHS[column] ?? 3 }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never change.
              <div className="skeleton" key={index} style={{ height: 84, marginBottom: 8 }} />
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}
