import { expectTypeOf, test } from 'vitest'
import { Collection } from '../../core/src/collections/collection.js'
import { ArraySchema } from '../../core/src/schema/array.js'
import { Entity } from '../../core/src/schema/entity.js'
import { EntityMixin } from '../../core/src/schema/entity-mixin.js'
import type {
  Denormalize,
  DenormalizeNullable,
  Normalize,
  NormalizeNullable,
  Queryable,
  SchemaArgs,
} from '../../core/src/schema/infer.js'
import { Invalidate } from '../../core/src/schema/invalidate.js'
import { Lazy } from '../../core/src/schema/lazy.js'
import { ObjectSchema } from '../../core/src/schema/object.js'
import type {
  DenormalizeContext,
  EntityInterface,
  NormalizeContext,
  Schema,
  SchemaContract,
} from '../../core/src/schema/schema.js'
import { Union } from '../../core/src/schema/union.js'
import { Values } from '../../core/src/schema/values.js'
import { All } from '../../core/src/selections/all.js'
import { Query } from '../../core/src/selections/query.js'
import { Scalar } from '../../core/src/selections/scalar.js'

class User extends Entity {
  static override key = 'User'
  id = ''
  readonly type = 'user' as const
  name = ''
  age = 0
  greet(): string {
    return `Hello ${this.name}`
  }
}

class Group extends Entity {
  static override key = 'Group'
  id = ''
  readonly type = 'group' as const
  title = ''
  only = true
}

class Secretive extends Entity {
  static override key = 'Secretive'
  id = ''
  readonly #secret = 1
  private readonly hidden = 2
  sum(): number {
    return this.#secret + this.hidden
  }
}

class Node extends Entity {
  static override key = 'Node'
  static override schema = {
    parent: Node,
    children: new Collection([Node], { belongs: (node, args) => node.label === args.label }),
    byKey: new Values(Node),
    related: new Union({ node: Node, user: User }, () => 'node'),
    page: new ObjectSchema({ items: [Node] }),
    first: new Query(new Collection([Node]), (nodes): unknown => nodes[0]),
    later: new Lazy([Node]),
  }
  id = ''
  label = ''
}

/** What `useQuery(schema, ...args)` and `controller.get(schema, ...args)` take. */
declare function query<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): DenormalizeNullable<S>
/** What `useSuspense` gives for a schema. */
declare function shown<S extends Schema>(schema: S): Denormalize<S>
declare function kept<S extends Schema>(schema: S): Normalize<S>

test('D1: a union is told apart by a field that each kind has', () => {
  const actor = new Union({ user: User, group: Group }, 'type')
  expectTypeOf(shown(actor)).toEqualTypeOf<User | Group>()
  const value = shown(actor)
  if (value.type === 'user') expectTypeOf(value).toEqualTypeOf<User>()
  new Union({ user: User, group: Group }, (value) => value.kind)
  new Union({ user: User, group: Group }, (value: User | Group) => value.type)
  // @ts-expect-error only groups have it
  new Union({ user: User, group: Group }, 'only')
  // @ts-expect-error a union needs something to tell kinds apart
  new Union({ user: User, group: Group })
})

test('D2: lists and maps of several kinds', () => {
  const list = new ArraySchema({ admins: User, groups: Group }, (value) =>
    value.type === 'user' ? 'admins' : 'groups',
  )
  expectTypeOf(shown(list)).toEqualTypeOf<readonly (User | Group)[]>()
  for (const item of shown(list)) if (item.type === 'group') expectTypeOf(item.title).toBeString()
  const map = new Values({ user: User, group: Group }, 'type')
  expectTypeOf(shown(map)).toEqualTypeOf<{ readonly [key: string]: User | Group }>()
  expectTypeOf(shown(new ArraySchema(User))).toEqualTypeOf<readonly User[]>()
  expectTypeOf(shown(new ArraySchema({ user: User }))).toEqualTypeOf<readonly { readonly user: User }[]>()
  expectTypeOf(shown(new Values(User))).toEqualTypeOf<{ readonly [key: string]: User }>()
  expectTypeOf(shown(new All({ user: User, group: Group }, 'type'))).toEqualTypeOf<readonly (User | Group)[]>()
  // @ts-expect-error no such kind
  new ArraySchema({ admins: User, groups: Group }, () => 'nobody')
  // @ts-expect-error no such kind
  new Values({ admins: User, groups: Group }, () => 'nobody')
})

test('D3: a query of an object gets each member by itself', () => {
  const both = new Query({ user: User, group: Group }, ({ user, group }) => {
    expectTypeOf(user).toEqualTypeOf<User | undefined>()
    expectTypeOf(group).toEqualTypeOf<Group | undefined>()
    return `${user?.name} ${group?.title}`
  })
  expectTypeOf(query(both, { id: 5 })).toEqualTypeOf<string | undefined>()
  query(both, { name: 'ann', title: 'admins' })
  // @ts-expect-error arguments are needed
  query(both)
  // @ts-expect-error no such field
  query(both, { nope: 5 })
  // @ts-expect-error one argument
  query(both, { id: 5 }, { id: 5 })
  const wrapped = new Query(new ObjectSchema({ user: User, group: Group }), ({ user }) => {
    expectTypeOf(user).toEqualTypeOf<User | undefined>()
    return user
  })
  query(wrapped, { id: 5 })
  // @ts-expect-error arguments are needed
  query(wrapped)
  // @ts-expect-error no such field
  query(wrapped, { nope: 5 })
})

test('a query takes the arguments of its schema, or those of its function, or both', () => {
  const count = new Query(new All(User), (users) => users.length)
  expectTypeOf(query(count)).toEqualTypeOf<number | undefined>()
  // @ts-expect-error it takes none
  query(count, { id: 5 })
  const byName = new Query(new All(User), (users, { name }: { name?: string } = {}) =>
    users.filter((user) => user.name === name),
  )
  expectTypeOf(query(byName, { name: 'ann' })).toEqualTypeOf<User[] | undefined>()
  query(byName)
  // @ts-expect-error no such argument
  query(byName, { nope: 5 })
  const typed = new Collection([User], { argsKey: ({ group }: { group: string }) => ({ group }) })
  const first = new Query(typed, (users) => users[0])
  expectTypeOf(query(first, { group: 'a' })).toEqualTypeOf<User | undefined>()
  // @ts-expect-error U13: not an argument of the list
  query(first, { user: 1 })
  // @ts-expect-error U13
  query(first, 5)
  const sorted = new Query(typed, (users, { order }: { order: string }) => [...users, order])
  query(sorted, { group: 'a', order: 'name' })
  // @ts-expect-error the list's own argument
  query(sorted, { order: 'name' })
  const nested = new Query(new Query(new All(User), (users) => users.length), (length) => length.toFixed())
  expectTypeOf(query(nested)).toEqualTypeOf<string | undefined>()
})

test('D4: the query of a lazy field takes what the field holds', () => {
  const users = new Lazy([User])
  expectTypeOf(shown(users)).toEqualTypeOf<string[]>()
  expectTypeOf(query(users.query, ['5'])).toEqualTypeOf<readonly User[] | undefined>()
  // @ts-expect-error an argument is needed
  query(users.query)
  // @ts-expect-error one argument
  query(users.query, ['5'], ['6'])
  query(new Lazy(new ArraySchema(User)).query, ['5'])
  query(new Lazy(new Values(User)).query, { a: '5' })
  query(new Lazy({ user: User }).query, { user: '5' })
  query(new Lazy(new ObjectSchema({ user: User })).query, { user: '5' })
  query(new Lazy(new All(User)).query, '*')
  // @ts-expect-error no such member
  query(new Lazy({ user: User }).query, { nope: '5' })
  // @ts-expect-error an argument is needed
  query(new Lazy(new All(User)).query)
})

test('D5: the query of a lazy entity takes its fields', () => {
  const { query: user } = new Lazy(User)
  expectTypeOf(query(user, { id: '5' })).toEqualTypeOf<User | undefined>()
  // @ts-expect-error an argument is needed
  query(user)
  // @ts-expect-error one argument
  query(user, { id: '5' }, { id: '5' })
})

test('D6, D7: the query of a lazy collection takes its arguments', () => {
  const { query: anyArgs } = new Lazy(new Collection([User]))
  expectTypeOf(query(anyArgs)).toEqualTypeOf<readonly User[] | undefined>()
  query(anyArgs, { group: 5 })
  query(anyArgs, { group: 5 }, { name: 'ann' })
  const { query: typed } = new Lazy(new Collection([User], { argsKey: (_: { group: string }) => ({ group: 'a' }) }))
  query(typed, { group: 'a' })
  // @ts-expect-error an argument is needed
  query(typed)
  // @ts-expect-error no such argument
  query(typed, { nope: 'a' })
})

test('D8: the query of a lazy union takes a reference', () => {
  const { query: actor } = new Lazy(new Union({ user: User, group: Group }, 'type'))
  expectTypeOf(query(actor, { id: '5', schema: 'user' })).toEqualTypeOf<User | Group | undefined>()
  // @ts-expect-error no such kind
  query(actor, { id: '5', schema: 'nobody' })
  // @ts-expect-error no reference
  query(actor, { id: '5' })
})

test('D9, D10: a class is an entity, also one with private members', () => {
  expectTypeOf(User).toExtend<EntityInterface<User>>()
  expectTypeOf(Secretive).toExtend<EntityInterface<Secretive>>()
  expectTypeOf(Node).toExtend<EntityInterface<Node>>()
  expectTypeOf(shown(Secretive)).toEqualTypeOf<Secretive>()
  expectTypeOf(shown(Node.schema.children)).toEqualTypeOf<readonly Node[]>()
})

test('D11: nested entities may be missing, lists may not', () => {
  const schema = { data: { user: User }, list: [User], total: 0, link: '', when: Date, count: Number } as const
  expectTypeOf<DenormalizeNullable<typeof schema>>().toEqualTypeOf<{
    readonly data: { readonly user: User | undefined }
    readonly list: readonly User[]
    readonly total: number
    readonly link: string
    readonly when: Date
    readonly count: number
  }>()
  expectTypeOf<Denormalize<typeof schema>['data']>().toEqualTypeOf<{ readonly user: User }>()
  expectTypeOf<DenormalizeNullable<Collection<readonly [typeof User]>>>().toEqualTypeOf<readonly User[] | undefined>()
})

test('D12: what the table keeps', () => {
  expectTypeOf(kept(new Union({ user: User, group: Group }, 'type'))).toExtend<{
    id: string
    schema: 'user' | 'group'
  }>()
  expectTypeOf<Normalize<{ users: (typeof User)[]; one: typeof User }>>().toEqualTypeOf<{
    users: string[]
    one: string
  }>()
  expectTypeOf<NormalizeNullable<{ one: typeof User }>>().toEqualTypeOf<{ one: string | undefined }>()
  expectTypeOf(kept(new Collection([User]))).toBeString()
  expectTypeOf(kept(new Values(User))).toEqualTypeOf<ReadonlyMap<string, string>>()
  expectTypeOf<Normalize<(iso: string) => Date>>().toBeString()
})

test('D15: what can be queried', () => {
  query(User, { id: '5' })
  query(new Collection([User]), {})
  query(new All(User))
  query(new Query(User, (user) => user.name), { id: '5' })
  query(new Union({ user: User, group: Group }, 'type'), { id: '5' })
  query(new Lazy(User).query, { id: '5' })
  // @ts-expect-error an array has no identity
  query(new ArraySchema(User))
  // @ts-expect-error a map has no identity
  query(new Values(User))
  // @ts-expect-error a deletion is not read
  query(new Invalidate(User), { id: '5' })
  // @ts-expect-error a change of lists is not read
  query(new Collection([User]).push, {})
})

test('D16: an entity is asked for by its fields, numbers and text alike, and not by methods', () => {
  expectTypeOf(query(User, { id: 5 })).toEqualTypeOf<User | undefined>()
  query(User, { id: '5', age: '7' })
  query(User, { type: 'user' })
  // @ts-expect-error a literal stays one
  query(User, { type: 'bob' })
  // @ts-expect-error a method is no field
  query(User, { greet: '' })
  // @ts-expect-error pk is no field
  query(User, { pk: '5' })
})

test('D17: a union is asked for by the fields of one kind', () => {
  const actor = new Union({ user: User, group: Group }, 'type')
  query(actor, { id: '5' })
  query(actor, { id: '5', type: 'group' })
  // @ts-expect-error no such kind
  query(actor, { id: '5', type: 'bob' })
})

test('D23: the callbacks of a collection are typed, and type its queries', () => {
  const users = new Collection([User], {
    argsKey: ({ group }: { group: string }) => ({ group }),
    nestKey: (parent: Group, field) => ({ group: parent.title, field }),
    nonFilterArgumentKeys: ['order'],
    belongs: (user, args) => {
      expectTypeOf(user.name).toEqualTypeOf<string | undefined>()
      // Numbers and booleans among the arguments are text.
      expectTypeOf(args.age).toEqualTypeOf<string | object | null | undefined>()
      return user.name === args.name ? true : 'unknown'
    },
    compare: (a, b) => (a.age ?? 0) - (b.age ?? 0),
  })
  expectTypeOf(query(users, { group: 'a' })).toEqualTypeOf<readonly User[] | undefined>()
  // @ts-expect-error no such argument
  query(users, { nope: 'a' })
  // @ts-expect-error no such field
  new Collection([User], { belongs: (user) => user.nope === 1 })
  // @ts-expect-error a collection holds entities
  new Collection([5])
  // @ts-expect-error a collection is of an array or Values
  new Collection(User)
})

test('the schemas of a collection show a member, or the map of what was assigned', () => {
  const users = new Collection([User])
  expectTypeOf(shown(users)).toEqualTypeOf<readonly User[]>()
  expectTypeOf(shown(users.push)).toEqualTypeOf<User>()
  expectTypeOf(shown(users.unshift)).toEqualTypeOf<User>()
  expectTypeOf(shown(users.remove)).toEqualTypeOf<User>()
  expectTypeOf(shown(users.move)).toEqualTypeOf<User>()
  expectTypeOf(shown(users.addWith((existing, incoming) => [...incoming, ...existing]))).toEqualTypeOf<User>()
  expectTypeOf(users.assign).toBeUndefined()
  const map = new Collection(new Values(User))
  expectTypeOf(shown(map.assign)).toEqualTypeOf<{ readonly [key: string]: User }>()
  expectTypeOf(shown(map.remove)).toEqualTypeOf<User>()
  const actors = new Collection([new Union({ user: User, group: Group }, 'type')])
  expectTypeOf(shown(actors)).toEqualTypeOf<readonly (User | Group)[]>()
  expectTypeOf(kept(actors.push).schema).toEqualTypeOf<'user' | 'group'>()
  expectTypeOf(shown(new Collection(new ArraySchema({ user: User, group: Group }, 'type')).push)).toEqualTypeOf<
    User | Group
  >()
  const pages = users.paginated(({ group }: { group: string; cursor: string }) => [{ group }])
  expectTypeOf(shown(pages)).toEqualTypeOf<readonly User[]>()
})

test('D24: a deletion shows the entity', () => {
  expectTypeOf(shown(new Invalidate(User))).toEqualTypeOf<User>()
  expectTypeOf(shown([new Invalidate(User)])).toEqualTypeOf<readonly User[]>()
  expectTypeOf(shown(new Invalidate({ user: User, group: Group }, 'type'))).toEqualTypeOf<User | Group>()
})

test('D25: a mixin keeps the constructor, the members and the fields of its base', () => {
  class Stock {
    symbol = ''
    price = 0
    readonly market: string
    constructor(market: string) {
      this.market = market
    }
    label(): string {
      return `${this.market}:${this.symbol}`
    }
  }
  class StockEntity extends EntityMixin(Stock, { pk: 'symbol', key: 'Stock', schema: { price: Number } }) {}
  expectTypeOf(StockEntity).toExtend<EntityInterface<StockEntity>>()
  expectTypeOf(new StockEntity('XETRA').label()).toBeString()
  expectTypeOf(shown(StockEntity)).toEqualTypeOf<StockEntity>()
  expectTypeOf(StockEntity.fromJS({ symbol: 'A' })).toEqualTypeOf<StockEntity>()
  EntityMixin(Stock, { pk: (stock, _parent, key) => `${stock.symbol}${key}` })
  class WithId {
    id = ''
  }
  EntityMixin(WithId)
  EntityMixin(WithId, { indexes: ['id'] })
  // @ts-expect-error the market is missing
  new StockEntity()
  // @ts-expect-error no such field
  EntityMixin(Stock, { pk: 'symbol', schema: { nope: Number } })
  // @ts-expect-error no such field
  EntityMixin(Stock, { pk: 'nope' })
  // @ts-expect-error it has no primary key
  EntityMixin(Stock)
  // @ts-expect-error it has no primary key
  EntityMixin(Stock, { key: 'Stock' })
})

test('D26: an instance is made from some of its fields', () => {
  expectTypeOf(User.fromJS({ name: 'ann' })).toEqualTypeOf<User>()
  expectTypeOf(User.fromJS()).toEqualTypeOf<User>()
  // @ts-expect-error no such field
  User.fromJS({ nope: 1 })
  // @ts-expect-error a method is not given
  User.fromJS({ greet: () => '' })
  // @ts-expect-error not a number
  User.fromJS({ age: 'old' })
})

test('the lifecycle of an entity is overridden with types of its own', () => {
  class Loose extends Entity {
    static override key = 'Loose'
    id = ''
    override pk(parent: { id: string }, field?: string): string {
      return `${parent.id}${field}${this.id}`
    }
    static override process(
      input: { id: number },
      parent: unknown,
      field: string | undefined,
      args: readonly unknown[],
    ) {
      // biome-ignore lint/complexity/noThisInStatic: what users write.
      const processed = super.process({ ...input, id: `${input.id}` }, parent, field, args)
      processed.isLoose = true
      return { ...processed, field }
    }
    static override validate(processed: { id?: unknown }): string | undefined {
      return processed.id === undefined ? 'id is missing' : undefined
    }
  }
  expectTypeOf(Loose).toExtend<EntityInterface<Loose>>()
  expectTypeOf(shown(Loose)).toEqualTypeOf<Loose>()
})

test('a schema of your own shows what its denormalize returns', () => {
  class Envelope implements SchemaContract {
    normalize(input: { data: unknown }, context: NormalizeContext): { data: unknown } {
      return { data: context.visit(User, input.data, input, 'data') }
    }
    denormalize(value: { data: string }, context: DenormalizeContext): User | undefined {
      return context.visit(User, value.data) as User | undefined
    }
  }
  expectTypeOf(shown(new Envelope())).toEqualTypeOf<User>()
  expectTypeOf(shown({ page: new Envelope() })).toEqualTypeOf<{ readonly page: User }>()
})

test('a scalar stands in an entity, or brings cells alone', () => {
  const price = new Scalar({ key: 'price', lens: ({ currency }: { currency: string }) => currency, entity: User })
  expectTypeOf(price).toExtend<Schema>()
  expectTypeOf(shown(new Values(price))).toEqualTypeOf<{ readonly [key: string]: Readonly<Record<string, unknown>> }>()
})
