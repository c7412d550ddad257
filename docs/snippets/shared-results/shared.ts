import { Controller, type Transport } from '@roundtable/core'
import { type Dehydrated, dehydrate } from '@roundtable/core/hydration'
import type { Storage } from 'unstorage'

/**
 * Returns a function that releases the lock, or undefined while another process holds it. It expires if its process
 * dies.
 */
export type Lock = (
  key: string,
) => Promise<(() => Promise<unknown>) | undefined>

export interface Shared {
  readonly madeAt: number
  /** Null for data that must not be shared: each request fetches it itself. */
  readonly state: Dehydrated | null
}

export interface SharedOptions {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly lock: Lock
  /** In ms. */
  readonly lifetime: number
}

/** Fetches public data once per lifetime, for all processes that share the storage. */
export function sharedResults({ storage, lock, lifetime }: SharedOptions) {
  const flights = new Map<string, Promise<Shared>>()

  async function stored(key: string): Promise<Shared | undefined> {
    const found = await storage.getItem<Shared>(key)
    // A file that is being written may be half of one.
    if (typeof found !== 'object' || found === null) return undefined
    return Date.now() < found.madeAt + lifetime ? found : undefined
  }

  async function fly(
    key: string,
    load: (controller: Controller) => Promise<unknown>,
  ): Promise<Shared> {
    for (;;) {
      const release = await lock(key)
      try {
        const found = await stored(key)
        if (found !== undefined) return found
        if (release !== undefined) {
          const made = { madeAt: Date.now(), state: await loadPublic(load) }
          await storage.setItem(key, made, {
            ttl: Math.ceil(lifetime / 1000),
          })
          return made
        }
      } finally {
        await release?.()
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  return async (
    key: string,
    load: (controller: Controller) => Promise<unknown>,
  ): Promise<Shared> => {
    const found = await stored(key)
    if (found !== undefined) return found
    const flight =
      flights.get(key) ?? fly(key, load).finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }
}

/** Loads with a separate controller without a user. */
async function loadPublic(
  load: (controller: Controller) => Promise<unknown>,
): Promise<Dehydrated | null> {
  let isPublic = true
  const transport: Transport = async (input, init) => {
    const headers = new Headers(init?.headers)
    if (headers.has('cookie') || headers.has('authorization'))
      throw new TypeError(
        `${String(input)} is a user's: it cannot be shared.`,
      )
    const response = await fetch(input, init)
    isPublic &&= isForAll(response.headers)
    return response
  }
  const controller = new Controller({ server: true, transport })
  try {
    await load(controller)
    return isPublic ? dehydrate(controller) : null
  } finally {
    controller.dispose()
  }
}

function isForAll(headers: Headers): boolean {
  const isPrivate = /\b(?:private|no-store)\b/i
  const byUser = /\*|\b(?:cookie|authorization)\b/i
  return !(
    headers.has('set-cookie') ||
    isPrivate.test(headers.get('cache-control') ?? '') ||
    byUser.test(headers.get('vary') ?? '')
  )
}
