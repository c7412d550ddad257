import { denormalize, normalize, schema } from 'normalizr'
import type { Shape } from '../data/datasets.js'
import type { Peer, Store } from './peer.js'

const issue = new schema.Entity('issues', {
  user: new schema.Entity('users'),
  labels: [new schema.Entity('labels')],
  milestone: new schema.Entity('milestones'),
  repository: new schema.Entity('repositories'),
})
const node = new schema.Entity('nodes')
node.define({ children: [node] })
const row = new schema.Entity('rows')

/** The schemas of the shapes; the adapter of Redux Toolkit uses them too, as its documentation advises. */
export const schemas = {
  flat: { whole: [row], one: row },
  issues: { whole: [issue], one: issue },
  tree: { whole: node, one: node },
} as const

type Tables = Record<string, Record<string, unknown>>

/** normalizr with the reducer that its documentation shows: entities of an answer are spread over the tables. */
export const normalizr: Peer = {
  name: 'normalizr 3',
  packages: ['normalizr'],
  open(shape: Shape): Store {
    const { whole, one } = schemas[shape]
    let tables: Tables = {}
    let result: unknown
    const take = (answer: unknown, of: typeof whole | typeof one): unknown => {
      const taken = normalize<unknown, Tables>(answer, of as schema.Entity)
      const next = { ...tables }
      for (const [kind, entities] of Object.entries(taken.entities)) next[kind] = { ...next[kind], ...entities }
      tables = next
      return taken.result
    }
    return {
      write: (answer) => {
        result = take(answer, whole)
      },
      read: () => denormalize(result, whole as schema.Entity, tables),
      change: (entity) => void take(entity, one),
      some: (entities) => void take(entities, [one as schema.Entity]),
    }
  },
}
