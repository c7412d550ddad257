import { Entity } from '@data-client/endpoint'
import { MemoCache, normalize } from '@data-client/normalizr'
import type { Shape } from '../data/datasets.js'
import type { Peer, Store } from './peer.js'

/** What normalizr 0.18 hands to a schema while it takes an answer apart. */
interface NormalizeDelegate {
  readonly args: readonly unknown[]
  visit(schema: unknown, value: unknown, parent: unknown, key: string): unknown
  checkLoop(key: string, pk: string, input: object): boolean
  mergeEntity(schema: unknown, pk: string, entity: unknown): void
}

type Fields = Record<string, unknown>

/** The parts of the entity class that its own types hide from subclasses. */
interface EntityStatics {
  readonly key: string
  readonly schema: Fields
  readonly defaults: Fields
  process(input: unknown, parent: unknown, key: string | undefined, args: readonly unknown[]): Fields
  pk(value: Fields, parent: unknown, key: string | undefined, args: readonly unknown[]): string | undefined
  validate(value: Fields): string | undefined
}

/**
 * The entity class of @data-client/endpoint 0.9.9, the newest in the registry, speaking to normalizr 0.18.1: the two pass a
 * schema different arguments, so the walk's two entry points are said again with the new ones. All else is the
 * package's own.
 */
abstract class BridgedEntity extends Entity {
  override pk(): string | undefined {
    return (this as unknown as { readonly id: string }).id
  }

  static override normalize: never = function normalize(
    this: EntityStatics,
    input: object,
    parent: unknown,
    key: string | undefined,
    delegate: NormalizeDelegate,
  ): string {
    const processed = this.process(input, parent, key, delegate.args)
    const id = this.pk(processed, parent, key, delegate.args)
    if (id === undefined || id === '' || id === 'undefined') throw new Error(`No primary key in ${this.key}`)
    if (delegate.checkLoop(this.key, id, input)) return id
    const problem = this.validate(processed)
    if (problem !== undefined) throw new Error(problem)
    for (const field of Object.keys(this.schema)) {
      if (!Object.hasOwn(processed, field)) continue
      processed[field] = delegate.visit(this.schema[field], processed[field], processed, field)
    }
    delegate.mergeEntity(this, id, processed)
    return id
  } as never

  static override denormalize: never = function denormalize(
    this: EntityStatics,
    input: Fields | symbol,
    delegate: { unvisit(schema: unknown, input: unknown): unknown },
  ): unknown {
    if (typeof input === 'symbol') return input
    for (const field of Object.keys(this.schema)) {
      const value = delegate.unvisit(this.schema[field], input[field])
      if (typeof value === 'symbol' && this.defaults[field]) return value
      input[field] = typeof value === 'symbol' ? undefined : value
    }
    return input
  } as never
}

export class Row extends BridgedEntity {
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

class User extends BridgedEntity {
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

class Label extends BridgedEntity {
  static override key = 'Label'
  id = ''
  name = ''
  color = ''
}

class Milestone extends BridgedEntity {
  static override key = 'Milestone'
  id = ''
  title = ''
  dueOn = ''
  isClosed = false
}

class Repository extends BridgedEntity {
  static override key = 'Repository'
  id = ''
  fullName = ''
  description = ''
  stars = 0
  isPrivate = false
}

class Issue extends BridgedEntity {
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

class TreeNode extends BridgedEntity {
  static override key = 'TreeNode'
  static override schema: Record<string, unknown[]> = {}
  id = ''
  name = ''
  weight = 0
  note = ''
  isOpen = false
  updatedAt = ''
  children: TreeNode[] = []
}
TreeNode.schema = { children: [TreeNode] }

const schemas = {
  flat: { whole: [Row], one: Row },
  issues: { whole: [Issue], one: Issue },
  tree: { whole: TreeNode, one: TreeNode },
} as const

/** The normalizer and the memo of data-client, held together as its reducer and its hooks do. */
export const dataClient: Peer = {
  name: 'data-client',
  packages: ['@data-client/normalizr', '@data-client/endpoint'],
  open(shape: Shape): Store {
    const { whole, one } = schemas[shape]
    const memo = new MemoCache()
    let state = { entities: {}, indexes: {}, entitiesMeta: {} }
    let result: unknown
    let time = 0
    const take = (schema: unknown, answer: unknown): unknown => {
      time += 1
      const meta = { fetchedAt: time, date: time, expiresAt: Infinity }
      const next = normalize(schema as never, answer, [], state, meta)
      state = { entities: next.entities, indexes: next.indexes, entitiesMeta: next.entitiesMeta }
      return next.result
    }
    return {
      write: (answer) => {
        result = take(whole, answer)
      },
      read: () => memo.denormalize(whole as never, result, state.entities).data,
      change: (entity) => void take(one, entity),
      some: (entities) => void take([one], entities),
    }
  },
}
