import type { Controller } from '@roundtable/core'
import { atom } from 'nanostores'
import { getTasks } from '../api/tasks.js'
import { $retries } from './retries.js'

/** How many tasks have been read, of how many. */
export const $loaded = atom({ count: 0, total: 0 })

/**
 * Reads all tasks into the table, page by page: the panels show what is there, and nothing holds the page up for long. After a
 * failure it goes on when somebody tries again.
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
      // The panels and the log tell what happened.
      await new Promise<void>((resolve) => {
        const stop = $retries.listen(() => {
          stop()
          resolve()
        })
      })
    }
  }
}
