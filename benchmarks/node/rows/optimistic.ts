import { InMemoryCache } from '@apollo/client/cache'
import { Controller, Endpoint, type LiveQuery } from '@roundtable/core'
import { parse } from 'graphql'
import { flatRows } from '../data/flat.js'
import type { Contender } from '../measure.js'
import { endpoints, OURS, Row } from '../peers/ours.js'

/** How many other mutations are pending meanwhile. */
export const PENDING: readonly number[] = [0, 1, 10, 50]

/** The name of a contender of that comparison. */
export function pendingName(peer: string, pending: number): string {
  return `${peer}, ${pending} pending`
}

/** An optimistic answer about one row of a mounted list is shown, refused by the server and taken back. */
export function optimistic(rows: number): Contender[] {
  return PENDING.flatMap((pending) => [ours(rows, pending), apollo(rows, pending)])
}

function ours(count: number, pending: number): Contender {
  const controller = new Controller({ onError: () => {} })
  const { whole } = endpoints.flat
  controller.setResponse(whole, flatRows(count))
  const list: LiveQuery<unknown> = controller.watch(whole)
  list.getSnapshot()
  list.subscribe(() => {})
  const refusals: ((error: Error) => void)[] = []
  type Patch = (args: { id: string }, body: { rank: number }) => Promise<unknown>
  const patch = new Endpoint(((): Promise<unknown> => new Promise((_, refuse) => refusals.push(refuse))) as Patch, {
    name: 'patch',
    schema: Row,
    sideEffect: true,
    getOptimisticResponse: (_, { id }, { rank }) => ({ id, rank }),
  })
  const refused = (): undefined => undefined
  for (let i = 0; i < pending; i++) controller.fetch(patch, { id: String(i + 1) }, { rank: -1 }).catch(refused)
  const id = String(count >> 1)
  let rank = 10_000
  return {
    name: pendingName(OURS, pending),
    prepare: () => {
      rank++
      return async () => {
        const answer = controller.fetch(patch, { id }, { rank })
        list.getSnapshot()
        // The function of an endpoint runs in the turn of the call or the one after.
        while (refusals.length === pending) await undefined
        refusals.pop()?.(Object.assign(new Error('refused'), { status: 422 }))
        await answer.catch(refused)
        return list.getSnapshot()
      }
    },
  }
}

function apollo(count: number, pending: number): Contender {
  const cache = new InMemoryCache()
  const fields = '__typename id title rank'
  const query = parse(`query Whole { rows { ${fields} } }`)
  const fragment = parse('fragment Ranked on Row { __typename rank }')
  const rows = flatRows(count).map(({ id, title, rank }) => ({ __typename: 'Row', id, title, rank }))
  cache.writeQuery({ query, data: { rows } })
  cache.watch({ query, optimistic: true, returnPartialData: true, callback: () => {} })
  const apply = (id: string, rank: number, layer: string): void =>
    cache.recordOptimisticTransaction((proxy) => {
      proxy.writeFragment({ id: `Row:${id}`, fragment, data: { __typename: 'Row', rank } })
    }, layer)
  for (let i = 0; i < pending; i++) apply(String(i + 1), -1, `pending ${i}`)
  const id = String(count >> 1)
  let rank = 10_000
  return {
    name: pendingName('Apollo InMemoryCache', pending),
    prepare: () => {
      rank++
      return () => {
        apply(id, rank, 'measured')
        cache.removeOptimistic('measured')
      }
    },
  }
}
