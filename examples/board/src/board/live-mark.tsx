import { useDLE, useSubscription } from '@roundtable/react'
import { useConnection } from '@roundtable/react/live'
import type { ReactNode } from 'react'
import { getLiveChanges } from '../live/live-changes.js'
import { LIVE_WORDS } from '../live/tell-connection.js'

/** Keeps the tasks up to date through the stream, and shows its status. */
export function LiveMark(): ReactNode {
  // Asks once, and again for what the stream has missed.
  useDLE(getLiveChanges)
  useSubscription(getLiveChanges)
  const status = useConnection(getLiveChanges)?.status ?? 'idle'
  return (
    <span className="live-mark" data-connection={status}>
      {LIVE_WORDS[status]}
    </span>
  )
}
