import {
  type LiveMessage,
  LiveRefusedError,
  type Wire,
} from '@roundtable/core/live'
import { createClient } from 'graphql-ws'
import { pushed } from './pushed.js'

/** A wire of a GraphQL subscription; `read` makes a message of a result. */
export const graphql =
  <Data>(query: string, read: (data: Data) => LiveMessage): Wire =>
  ({ url, headers, signal }) =>
    pushed<LiveMessage>(signal, (push, end) => {
      const client = createClient({
        url,
        retryAttempts: 0,
        keepAlive: 10_000,
        connectionParams: Object.fromEntries(headers),
        on: {
          connected: () => push({ type: 'opened' }),
          // A sign of life.
          pong: () => push({}),
        },
      })
      client.subscribe<Data>(
        { query },
        {
          next: ({ data }) => data && push(read(data)),
          error: (cause) => end(refused(url, cause) ?? cause),
          complete: () => end(),
        },
      )
      return () => void client.dispose()
    })

/** With 4400 to 4499 the server says not to reconnect. */
function refused(url: string, cause: unknown) {
  const { code: closeCode = 0 } = Object(cause) as { code?: number }
  return closeCode >= 4400 && closeCode < 4500
    ? new LiveRefusedError(url, { closeCode, cause })
    : undefined
}
