import { Client, type Exchange, gql, type OperationResult } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import type { Shape } from '../data/datasets.js'
import { parseTyped, roots, selection } from './graphql-shapes.js'
import type { Peer, Store } from './peer.js'

/** urql's normalized cache works only as an exchange of a client, so a client with a server in place stands around it. */
export const graphcache: Peer = {
  name: 'urql Graphcache',
  packages: ['@urql/exchange-graphcache', '@urql/core'],
  parse: parseTyped,
  open(shape: Shape): Store {
    const { field, kind } = roots[shape]
    const query = gql(`query Whole { ${field} { ${selection(kind)} } }`)
    let data: unknown
    const server: Exchange = () => (operations) => (sink) =>
      operations((signal) => {
        if (typeof signal === 'number' || signal.tag === 0) return void sink(signal as never)
        const operation = signal[0]
        if (operation.kind === 'teardown') return
        sink({ tag: 1, 0: { operation, data, hasNext: false, stale: false } } as never)
      })
    const client = new Client({
      url: 'https://example.test/graphql',
      exchanges: [cacheExchange({}), server],
      preferGetMethod: false,
    })
    const shown = (result: OperationResult | null): unknown => result?.data?.[field]
    return {
      write: (answer) => {
        data = answer
        client
          .query(query, {}, { requestPolicy: 'network-only' })
          .subscribe(() => {})
          .unsubscribe()
      },
      read: () => shown(client.readQuery(query, {}) as OperationResult | null),
      mount: (onWake) => void client.query(query, {}).subscribe(onWake),
    }
  },
}
