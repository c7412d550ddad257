import { InMemoryCache } from '@apollo/client/cache'
import { parse } from 'graphql'
import type { Shape } from '../data/datasets.js'
import { named, parseTyped, roots, selection } from './graphql-shapes.js'
import type { Entity, Peer, Store } from './peer.js'

/** Apollo's cache alone, without its client: it is what takes answers in, and what queries watch. */
export const apollo: Peer = {
  name: 'Apollo InMemoryCache',
  packages: ['@apollo/client'],
  parse: parseTyped,
  open(shape: Shape): Store {
    const { field, kind, isMany } = roots[shape]
    const query = parse(`query Whole { ${field} { ${selection(kind)} } }`)
    const some = parse(`query Some { some { ${selection(kind)} } }`)
    const fragment = parse(`fragment One on ${kind.name} { ${['__typename', ...kind.scalars].join(' ')} }`)
    const scalars = (entity: Entity): object => Object.fromEntries(kind.scalars.map((name) => [name, entity[name]]))
    const cache = new InMemoryCache()
    return {
      write: (data) => void cache.writeQuery({ query, data: data as object }),
      read: () => cache.readQuery<Record<string, unknown>>({ query })?.[field],
      mount: (onWake) =>
        void cache.watch({ query, optimistic: true, returnPartialData: true, callback: () => onWake() }),
      change: (entity) =>
        void cache.writeFragment({
          id: `${kind.name}:${entity.id}`,
          fragment,
          data: { __typename: kind.name, ...scalars(entity) },
        }),
      ...(isMany && {
        some: (entities: readonly Entity[]) =>
          void cache.writeQuery({ query: some, data: { some: named(entities, kind, true) } as object }),
      }),
    }
  },
}
