import {
  Collection,
  denormalize,
  Entity,
  INVALID,
  Invalidate,
  normalize,
  Query,
  type Schema,
  schema,
  Union,
  Values,
} from '@roundtable/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

class User extends Entity {
  static override key = 'User'
  static override indexes = ['name'] as const
  id = ''
  name = ''
}
class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
  done = false
  user: User | undefined = undefined
  tags: readonly string[] = []
  subs: readonly Todo[] = []
  at: Date | undefined = undefined
}
Todo.schema = { user: User, subs: [Todo], at: (iso: string) => new Date(iso) }
class Group extends Entity {
  static override key = 'Group'
  static override schema = { members: new Collection([User]), by: new Values(User) }
  id = ''
  members: readonly User[] = []
  by: Readonly<Record<string, User>> = {}
}
const todos = new Collection([Todo])

describe('normalize', () => {
  test('gives rows by kind and key, relations as keys, indexes, and the result of the response', () => {
    const { result, entities, indexes, entitiesMeta } = normalize(
      { list: [Todo], total: 0 },
      {
        list: [{ id: 5, title: 'a', user: { id: 'u', name: 'Ann' } }],
        total: 1,
      },
    )
    expect(result).toEqual({ list: ['5'], total: 1 })
    expect(entities).toEqual({
      Todo: { 5: { id: 5, title: 'a', user: 'u' } },
      User: { u: { id: 'u', name: 'Ann' } },
    })
    expect(indexes).toEqual({ User: { name: { Ann: 'u' } } })
    expect(entitiesMeta.Todo?.['5']).toEqual({ start: 1, date: 0, expiresAt: Infinity })
  })

  test('merges into stored data, changes no input, and returns unchanged kinds as they were', () => {
    const first = normalize([Todo], [{ id: '5', title: 'a', user: { id: 'u', name: 'Ann' } }])
    const before = structuredClone(first.entities)
    const second = normalize(Todo, { id: '5', done: true, user: 'u' }, [], first)
    expect(second.entities.Todo).toEqual({ 5: { id: '5', title: 'a', done: true, user: 'u' } })
    expect(second.entities.User).toBe(first.entities.User)
    expect(second.indexes).toEqual({ User: { name: { Ann: 'u' } } })
    expect(first.entities).toEqual(before)
    expect(normalize(Todo, { id: '5', title: 'a' }, [], first).entities.Todo).toBe(first.entities.Todo)
  })

  test('a response that was requested earlier only fills gaps', () => {
    const first = normalize(Todo, { id: '5', title: 'new' }, [], {}, { start: 9, date: 100, expiresAt: 200 })
    const second = normalize(Todo, { id: '5', title: 'old', done: true }, [], first, { start: 3 })
    expect(second.entities.Todo?.['5']).toEqual({ id: '5', title: 'new', done: true })
    expect(second.entitiesMeta.Todo?.['5']).toEqual({ start: 9, date: 100, expiresAt: 200 })
  })

  test('pushes into known lists, and deletes', () => {
    const one = normalize(todos, [{ id: '1', title: 'a' }], [{ userId: 1 }])
    const other = normalize(todos, [], [{ userId: 2 }], one)
    const pushed = normalize(todos.push, { id: '2' }, [{ userId: 1 }], other)
    expect(Object.values(pushed.entities['[Todo]'] ?? {})).toEqual([['1', '2'], []])
    const gone = normalize(new Invalidate(Todo), { id: '1' }, [], pushed)
    expect(gone.entities.Todo?.['1']).toBe(INVALID)
    const shown = denormalize(todos, one.result, gone.entities, [{ userId: 1 }]) as readonly Todo[]
    expect(shown.map(({ id }) => id)).toEqual(['2'])
    expect(denormalize(todos, undefined, gone.entities, [{ userId: '1' }])).toHaveLength(1)
    expect(denormalize(Todo, '1', gone.entities)).toBeUndefined()
  })

  test('survives serialization', () => {
    const { result, entities } = normalize(Group, {
      id: 'g',
      members: [{ id: '1', name: 'Ann' }],
      by: { x: { id: '2', name: 'Bea' }, ['__proto__']: { id: 'constructor', name: 'Cleo' } },
    })
    const back = JSON.parse(JSON.stringify({ result, entities }))
    const group = denormalize(Group, back.result, back.entities) as Group
    expect(group).toBeInstanceOf(Group)
    expect(group.members[0]).toBeInstanceOf(User)
    expect(Object.keys(group.by)).toEqual(['x', '__proto__'])
    expect(denormalize(User, undefined, back.entities, [{ name: 'Cleo' }])).toMatchObject({ id: 'constructor' })
  })

  test('refuses data that does not fit', () => {
    expect(() => normalize([Todo], { id: '1' })).toThrow(/array/)
    expect(() => normalize(Todo, {})).toThrow(/primary key/)
  })
})

describe('denormalize', () => {
  test('runs a Query, and leaves its input unchanged', () => {
    const { result, entities } = normalize([Todo], [{ id: '1', tags: ['x'] }, { id: '2' }])
    const counted = new Query([Todo], (list, { times }: { times: number }) => list.length * times)
    expect(denormalize(counted, result, entities, [{ times: 3 }])).toBe(6)
    const [one] = denormalize([Todo], result, entities) as readonly Todo[]
    expect(Object.isFrozen(one)).toBe(true)
    expect(Object.isFrozen((entities.Todo?.['1'] as Todo | undefined)?.tags)).toBe(false)
  })
})

// — what goes in comes out —

const names = fc.constantFrom('a', 'b', '__proto__', 'constructor', '0', 'é/|')
const plain = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 2 }),
)

/** A schema, data that fits it, and what it shows for that. */
interface Sample {
  readonly schema: Schema
  readonly data: unknown
  readonly shown: unknown
}

/** Rows of one key hold the same in all places, as in a server's response. */
const userOf = (id: string): object => ({ id, name: `name of ${id}` })
const todoOf = (id: string): object => ({
  id,
  title: `title of ${id}`,
  done: id > 'b',
  user: userOf(`u${id}`),
  tags: [id],
  subs: [userTodo(id)],
})
const userTodo = (id: string): object => ({
  id: `sub ${id}`,
  title: 'sub',
  done: false,
  user: userOf('x'),
  tags: [],
  subs: [],
})
const leaf: fc.Arbitrary<Sample> = fc.oneof(
  names.map((id) => ({ schema: User, data: userOf(id), shown: userOf(id) })),
  names.map((id) => ({
    schema: Todo,
    data: todoOf(id),
    shown: { ...todoOf(id), at: undefined, subs: [{ ...userTodo(id), at: undefined }] },
  })),
  names.map((id) => ({
    schema: new Union({ user: User, todo: Todo }, (value: { readonly title?: string }) =>
      value.title === undefined ? 'user' : 'todo',
    ),
    data: userOf(id),
    shown: userOf(id),
  })),
  plain.map((value) => ({ schema: undefined, data: value, shown: value })),
)
const sample: fc.Arbitrary<Sample> = fc.letrec<{ node: Sample }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    // A list of one schema: the same sample some times.
    fc.tuple(tie('node'), fc.nat(2)).map(([{ schema: inner, data, shown }, count]) => ({
      schema: count === 0 ? ([inner] as const) : new schema.Array(inner as never),
      data: Array(count).fill(data),
      shown: Array(count).fill(shown),
    })),
    fc.dictionary(names, tie('node'), { maxKeys: 3 }).map((fields) => {
      const of = (part: keyof Sample) =>
        Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one[part]]))
      return { schema: of('schema') as Schema, data: { ...of('data'), extra: 1 }, shown: { ...of('shown'), extra: 1 } }
    }),
    fc
      .tuple(fc.constantFrom<typeof User | typeof Todo>(User), fc.uniqueArray(names, { maxLength: 3 }))
      .map(([member, ids]) => ({
        schema: new Collection([member]),
        data: ids.map(userOf),
        shown: ids.map(userOf),
      })),
    fc.uniqueArray(names, { maxLength: 3 }).map((ids) => ({
      schema: new Values(User),
      data: Object.fromEntries(ids.map((id) => [id, userOf(id)])),
      shown: Object.fromEntries(ids.map((id) => [id, userOf(id)])),
    })),
  ),
})).node

test('normalize, then denormalize, returns the input, up to defaults and classes', () => {
  fc.assert(
    fc.property(sample, ({ schema: by, data, shown }) => {
      // Two Collections of one response have the same arguments and would be one list: the last of them.
      fc.pre(countOf(by) <= 1)
      fc.pre(typeof data === 'object' && data !== null)
      const { result, entities } = normalize(by, data)
      expect(denormalize(by, result, entities)).toEqual(shown)
    }),
    { numRuns: 500 },
  )
})

function countOf(by: Schema): number {
  if (by instanceof Collection) return 1
  if (typeof by !== 'object' || by === null) return 0
  return Object.values(by).reduce((sum: number, inner) => sum + countOf(inner as Schema), 0)
}
