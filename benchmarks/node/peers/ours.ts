import {
  browserEnv,
  Controller,
  Endpoint,
  Entity,
  type EntityInterface,
  type Env,
  type LiveQuery,
  transfer,
} from '@roundtable/core'
import type { Shape } from '../data/datasets.js'
import type { Peer, Store } from './peer.js'

/** What this library is called in tables. */
export const OURS = 'roundtable'

export class Row extends Entity {
  static override key = 'Row'
  id = ''
  title = ''
  body = ''
  author = ''
  rank = 0
  score = 0
  price = 0
  isOpen = false
  createdAt = ''
  updatedAt = ''
  url = ''
  note: string | null = null
}

class User extends Entity {
  static override key = 'User'
  id = ''
  login = ''
  name = ''
  avatarUrl = ''
  company: string | null = null
  bio = ''
  location = ''
  followers = 0
  isAdmin = false
  joinedAt = ''
}

class Label extends Entity {
  static override key = 'Label'
  id = ''
  name = ''
  color = ''
}

class Milestone extends Entity {
  static override key = 'Milestone'
  id = ''
  title = ''
  dueOn = ''
  isClosed = false
}

class Repository extends Entity {
  static override key = 'Repository'
  id = ''
  fullName = ''
  description = ''
  stars = 0
  isPrivate = false
}

class Issue extends Entity {
  static override key = 'Issue'
  static override schema = { user: User, labels: [Label], milestone: Milestone, repository: Repository }
  id = ''
  number = 0
  title = ''
  body = ''
  state = ''
  comments = 0
  isLocked = false
  reactions = 0
  url = ''
  createdAt = ''
  updatedAt = ''
  user: User | undefined = undefined
  labels: Label[] = []
  milestone: Milestone | null = null
  repository: Repository | undefined = undefined
}

class TreeNode extends Entity {
  static override key = 'TreeNode'
  static override schema: { readonly children: readonly [EntityInterface] } = { children: [TreeNode] }
  id = ''
  name = ''
  weight = 0
  note = ''
  isOpen = false
  updatedAt = ''
  children: TreeNode[] = []
}

/** Without timers: those of the retention would keep every store that was ever measured. */
export const env: Env = { ...browserEnv(), setTimeout: () => undefined, clearTimeout: () => {} }

/** Answers come by `setResponse`; nothing goes out. */
export async function nothing(): Promise<never> {
  throw new Error('A benchmark sends no requests.')
}

type One<Item> = (args: { id: string }) => Promise<Item>

/** The endpoints of a kind: its list, one of it, and another list. */
function endpointsOf<Item extends typeof Entity>(name: string, item: Item, isTree = false) {
  const options = { dataExpiryLength: Infinity } as const
  return {
    whole: new Endpoint(nothing as () => Promise<unknown>, {
      ...options,
      name: `${name}s`,
      schema: isTree ? item : [item],
    }),
    one: new Endpoint(nothing as One<unknown>, { ...options, name, schema: item }),
    some: new Endpoint(nothing as () => Promise<unknown>, { ...options, name: `some ${name}s`, schema: [item] }),
  }
}

export const endpoints = {
  flat: endpointsOf('row', Row),
  issues: endpointsOf('issue', Issue),
  tree: endpointsOf('node', TreeNode, true),
} as const

/**
 * This library: a controller, entities with defaults, and a query that is made when somebody looks. Answers are handed
 * over.
 */
export const ours: Peer = { name: OURS, packages: ['@roundtable/core'], open: (shape) => open(shape, transfer) }

/** The same with answers that the caller keeps, so that they are copied. */
export const oursCopied: Peer = { ...ours, name: `${OURS}, copied`, open: (shape) => open(shape, (answer) => answer) }

function open(shape: Shape, handed: (answer: unknown) => unknown): Store {
  const controller = new Controller({ env })
  const { whole, one, some } = endpoints[shape]
  let query: LiveQuery<unknown> | undefined
  const live = (): LiveQuery<unknown> => {
    query ??= controller.watch(whole)
    return query
  }
  return {
    write: (answer) => controller.setResponse(whole, handed(answer) as never),
    read: () => live().getSnapshot().data,
    mount: (onWake) => void live().subscribe(onWake),
    change: (entity) => controller.setResponse(one, { id: entity.id }, entity),
    some: (entities) => controller.setResponse(some, entities),
  }
}
