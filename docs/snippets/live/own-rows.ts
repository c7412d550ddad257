import type { Wire } from '@roundtable/core/live'
import { sse } from '@roundtable/core/sse'
import { TodoResource } from './api.js'

const read = sse()
const sent = new Set<unknown>()

export const createTodo = TodoResource.create.extend({
  getHeaders(headers) {
    const key = crypto.randomUUID()
    sent.add(key)
    return { ...headers, 'Idempotency-Key': key }
  },
})

/** Of todos that this page has created only their place in the stream. */
export const othersTodos: Wire = async function* (context) {
  for await (const messages of read(context)) {
    yield messages.map((message) =>
      isOwn(message.data) ? { id: message.id } : message,
    )
  }
}

function isOwn(data: unknown) {
  const isObject = typeof data === 'object' && data !== null
  return isObject && 'by' in data && sent.has(data.by)
}
