import type { Controller } from '@roundtable/core'
import { atom } from 'nanostores'
import { getTasks } from '../api/tasks.js'
import { $retries } from './retries.js'

/** The number of loaded tasks, and of all tasks. */
export const $loaded = atom({ count: 0, total: 0 })

/**
 * Loads all tasks into the table, page by page, so that the panels show partial data and the page is never blocked
 * for long. After a failure, it continues on retry.
 */
export async function loadTasks(controller: Controller): Promise<void> {
  let cursor = ''
  do {
    const { tasks, total, next } = await readPage(controller, cursor)
    $loaded.set({ count: next === '' ? total : $loaded.get().count + tasks.length, total })
    cursor = next
  } while (cursor !== '')
}

async function readPage(controller: Controller, cursor: string) {
  for (;;) {
    try {
      return await controller.fetchIfStale(getTasks, cursor === '' ? {} : { cursor })
    } catch {
      // The panels and the log show the result.
      await new Promise<void>((resolve) => {
        const stop = $retries.listen(() => {
          stop()
          resolve()
        })
      })
    }
  }
}
