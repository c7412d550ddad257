import { QueryClient, QueryObserver } from '@tanstack/query-core'
import type { Entity, Peer, Store } from './peer.js'

const queryKey = ['answer']

/**
 * TanStack Query keeps answers as they came: one entity is changed in each answer that holds it, here in the one there
 * is.
 */
export const queryCore: Peer = {
  name: 'TanStack Query',
  packages: ['@tanstack/query-core'],
  open(): Store {
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity } } })
    return {
      write: (answer) => void client.setQueryData(queryKey, answer),
      read: () => client.getQueryData(queryKey),
      mount: (onWake) => void new QueryObserver(client, { queryKey, enabled: false }).subscribe(onWake),
      change: (entity) => void client.setQueryData(queryKey, (answer: unknown) => replaced(answer, entity)),
    }
  },
}

/** The answer with one entity of the main kind replaced, wherever it stands. */
function replaced(answer: unknown, entity: Entity): unknown {
  if (Array.isArray(answer)) return answer.map((row: Entity) => (row.id === entity.id ? entity : row))
  return replacedNode(answer as TreeEntity, entity)
}

interface TreeEntity {
  readonly id: string
  readonly children: readonly TreeEntity[]
}

function replacedNode(node: TreeEntity, entity: Entity): TreeEntity {
  if (node.id === entity.id) return { ...node, ...entity }
  let isSame = true
  const children = node.children.map((child) => {
    const next = replacedNode(child, entity)
    if (next !== child) isSame = false
    return next
  })
  return isSame ? node : { ...node, children }
}
