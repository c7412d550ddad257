import type { PendingStatus } from '@roundtable/core/offline'

/** How far a change is, in a word for a card. */
export const MARKS: Readonly<Record<PendingStatus, string>> = {
  storing: 'Storing',
  waiting: 'Waits',
  sending: 'Sending',
  refused: 'Refused',
}
