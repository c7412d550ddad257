import { indexedDbLog, type OfflineLog, type OfflineStore, offline, outbox } from '@roundtable/core/offline'
import { atom } from 'nanostores'
import { addComment, deleteComment } from '../api/comments.js'
import { changeTask, createTask, deleteTask, moveTask } from '../api/tasks.js'
import { logName } from './log-name.js'

/** How much of the log is being read at the start, in characters; undefined before and after. */
export const $reading = atom<number | undefined>(undefined)

/** The store of rows and waiting changes on this device; undefined for a page without one. */
export const store: OfflineStore | undefined =
  logName === undefined
    ? undefined
    : offline({
        log: told(indexedDbLog(`board:${logName}`)),
        version: '1',
        outbox: outbox({ createTask, changeTask, moveTask, deleteTask, addComment, deleteComment }),
      })

/** A log that reports how much there is to read, and lets the page show that before its scripts are busy reading. */
function told(log: OfflineLog): OfflineLog {
  return {
    ...log,
    async read(after) {
      const records = await log.read(after)
      const length = records.reduce((sum, { text }) => sum + text.length, 0)
      if (length < LONG) return records
      $reading.set(length)
      await painted()
      // The page is shown right after that.
      queueMicrotask(() => setTimeout(() => $reading.set(undefined)))
      return records
    },
  }
}

/** Some 10,000 tasks, as they are stored. */
const LONG = 2_000_000

/** A page that is hidden is not painted. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) resolve()
    else requestAnimationFrame(() => setTimeout(resolve))
  })
}
