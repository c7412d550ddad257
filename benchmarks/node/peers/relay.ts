/// <reference path="./relay-runtime.d.ts" />
import {
  commitLocalUpdate,
  createOperationDescriptor,
  Environment,
  Network,
  RecordSource,
  Store as RelayStore,
} from 'relay-runtime'
import type { Shape } from '../data/datasets.js'
import { type Kind, parseTyped, type Relation, roots } from './graphql-shapes.js'
import type { Peer, Store } from './peer.js'

/** Relay's store. Its compiler would write the artifacts; these are what it writes for such queries. */
export const relay: Peer = {
  name: 'Relay',
  packages: ['relay-runtime'],
  parse: parseTyped,
  open(shape: Shape): Store {
    const root = roots[shape]
    const store = new RelayStore(new RecordSource())
    const environment = new Environment({
      network: Network.create(() => ({}) as never),
      store,
      // Ids are unique only within a type here; Relay's own rule wants them unique everywhere.
      getDataID: (record, type) => `${type}:${record.id}`,
    })
    const operation = createOperationDescriptor(artifact(root), {})
    environment.retain(operation)
    return {
      write: (answer) => environment.commitPayload(operation, answer as Record<string, unknown>),
      read: () => (environment.lookup(operation.fragment).data as Record<string, unknown> | undefined)?.[root.field],
      mount: (onWake) => void environment.subscribe(environment.lookup(operation.fragment), onWake),
      change: (entity) =>
        commitLocalUpdate(environment, (proxy) => {
          const record = proxy.get(`${root.kind.name}:${entity.id}`)
          for (const name of root.kind.scalars) record?.setValue(entity[name] as string, name)
        }),
    }
  },
}

function artifact(root: Relation): object {
  const selections = [linked(root)]
  return {
    kind: 'Request',
    fragment: {
      argumentDefinitions: [],
      kind: 'Fragment',
      metadata: null,
      name: 'Whole',
      selections,
      type: 'Query',
      abstractKey: null,
    },
    operation: { argumentDefinitions: [], kind: 'Operation', name: 'Whole', selections },
    params: { cacheID: root.field, id: null, metadata: {}, name: 'Whole', operationKind: 'query', text: 'query Whole' },
  }
}

function linked({ field, isMany, kind }: Relation): object {
  const selections = selectionsOf(kind)
  return {
    alias: null,
    args: null,
    concreteType: kind.name,
    kind: 'LinkedField',
    name: field,
    plural: isMany,
    selections,
    storageKey: null,
  }
}

function selectionsOf({ scalars, relations }: Kind): object[] {
  const scalar = (name: string): object => ({ alias: null, args: null, kind: 'ScalarField', name, storageKey: null })
  return [...['__typename', ...scalars].map(scalar), ...relations.map(linked)]
}
