import { TransportError } from '@roundtable/core'
import type { LiveMessage, Wire } from '@roundtable/core/live'
import { sse } from '@roundtable/core/sse'
import { $switches, switched } from '../app/switches.js'
import { store } from '../device/store.js'
import { isSentHere } from './own-changes.js'

const read = sse()

/**
 * The wire of the board's stream: server-sent events, with the switches of the activity panel. It skips tasks created
 * by this page: they already show, under a temporary id until the response arrives, and would appear twice.
 */
export const taskWire: Wire = async function* (context) {
  const { url, signal, send } = context
  const cut = new AbortController()
  const stop = $switches.listen(({ fail, writesOnly }) => {
    if (fail > 0 && !writesOnly) cut.abort()
  })
  try {
    const stream = read({
      ...context,
      signal: AbortSignal.any([signal, cut.signal]),
      send: (to, init) => send(switched(to, 'GET'), init),
    })
    for await (const messages of stream) yield messages.map(unpacked)
  } catch (cause) {
    throw cut.signal.aborted ? new TransportError(url, 'GET', { cause }) : cause
  } finally {
    stop()
  }
}

/** A message with the task alone, or with its place in the stream alone. */
function unpacked(message: LiveMessage): LiveMessage {
  const { type, id, data } = message
  if (typeof data !== 'object' || data === null || !('task' in data)) return message
  if (type === 'task.created' && 'by' in data && isOwn(data.by)) return { id }
  return { id, type, data: data.task }
}

/** Whether a request is this page's, or that of a change which waits on this device: another tab may send it. */
function isOwn(name: unknown): boolean {
  if (typeof name !== 'string') return false
  return isSentHere(name) || (store?.outbox.getSnapshot().some(({ id }) => id === name) ?? false)
}
