/** An application of items over REST, as each library's documentation writes one that is to work offline. */
export interface App {
  /** Resolves when what was stored is there, and what waits is being sent. */
  start(): Promise<void>
  load(): Promise<void>
  /**
   * Resolves when it is as durable as the library makes it, not when the server has answered. Returns the key that the
   * row has by then.
   */
  create(title: string): Promise<string>
  edit(id: string, title: string): Promise<void>
  /** The title that is shown. */
  titleOf(id: string): string | undefined
}

export interface Item {
  readonly id: string
  readonly title: string
}

declare global {
  interface Window {
    app: App
  }
}

/** Sends a request; rejects with the status of an answer from 400 on. */
export async function send(method: string, path: string, body?: unknown, key?: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) }
  const response = await fetch(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  if (!response.ok) throw Object.assign(new Error(`${response.status}`), { status: response.status })
  return response.json()
}

/** Longer than what any of them waits before it writes: TanStack Query's persister does so once a second. */
export function untilStored(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_500))
}
