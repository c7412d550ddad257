import type { ControllerOptions } from '@roundtable/core'
import { memoryLog, type OfflineLog, type OfflineOptions, offline } from '@roundtable/core/offline'
import { settle } from '../engine/clock.js'
import { openBoard } from '../engine/todo-board.js'

/** Starts an application on a log, as a page does that is loaded: what it had in memory before is gone. */
export function start(
  log: OfflineLog,
  { offlineOptions, ...options }: ControllerOptions & { readonly offlineOptions?: Partial<OfflineOptions> } = {},
) {
  const store = offline({ log, ...offlineOptions })
  return { store, ...openBoard({ ...options, managers: [store] }) }
}

/** As `start`, with what was stored. */
export async function restarted(...args: Parameters<typeof start>) {
  const app = start(...args)
  await app.store.ready
  await settle()
  return app
}

/** A log of which a test sees the texts. */
export function seenLog(log: OfflineLog = memoryLog()) {
  const texts: string[] = []
  const seen: OfflineLog = {
    ...log,
    append(entry, isDurable) {
      texts.push(entry.text)
      return log.append(entry, isDurable)
    },
  }
  return { log: seen, texts }
}

/** What is on the disk. */
export async function diskOf(log: OfflineLog): Promise<string> {
  return (await log.read(0)).map(({ text }) => text).join('\n')
}
