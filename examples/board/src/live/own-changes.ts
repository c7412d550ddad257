const HEADER = 'idempotency-key'
/** How many requests of this page are remembered. */
const REMEMBERED = 200

const sent = new Set<string>()

/** Adds a unique name to this request, with which the stream identifies the creator of a task. */
export function named(headers: Record<string, string>): Record<string, string> {
  // `crypto.randomUUID` is there on secure pages only.
  const name = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
  return { ...headers, [HEADER]: name }
}

/** Remembers a request that is sent: that of the outbox has the name of its change. */
export function noteSent(headers: HeadersInit | undefined): void {
  const name = new Headers(headers).get(HEADER)
  if (name === null) return
  sent.add(name)
  const [oldest] = sent
  if (sent.size > REMEMBERED && oldest !== undefined) sent.delete(oldest)
}

/** Whether this page has sent a request. */
export function isSentHere(name: string): boolean {
  return sent.has(name)
}
