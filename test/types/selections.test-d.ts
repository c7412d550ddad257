import { All, Collection, Controller, countBy, Entity, Query, type SchemaArgs, Union } from '@roundtable/core'
import { expectTypeOf, test } from 'vitest'

class User extends Entity {
  static override key = 'User'
  id = ''
  readonly type = 'user' as const
  name = ''
}

class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { author: User, due: (text: string) => new Date(text) }
  id = 0
  readonly type = 'todo' as const
  title = ''
  status: 'open' | 'done' = 'open'
  isPinned = false
  author: User | undefined = undefined
  due = new Date(0)
  get isLate(): boolean {
    return this.due < new Date(0)
  }
}

const controller = new Controller()
const open = new All(Todo, { belongs: (todo) => todo.status === 'open' })

test('belongs and compare receive instances, with getters, deserialized fields and relations', () => {
  const late = new All(Todo, {
    belongs: (todo) => {
      expectTypeOf(todo).toEqualTypeOf<Todo>()
      return todo.isLate && todo.author?.name !== ''
    },
    compare: (a, b) => a.due.getTime() - b.due.getTime(),
    limit: 50,
  })
  expectTypeOf(controller.get(late)).toEqualTypeOf<readonly Todo[] | undefined>()
  expectTypeOf<SchemaArgs<typeof late>>().toEqualTypeOf<[]>()
  expectTypeOf(controller.get(new All(Todo, {}))).toEqualTypeOf<readonly Todo[] | undefined>()
  // @ts-expect-error no such field
  new All(Todo, { belongs: (todo) => todo.nope })
  // @ts-expect-error true or false
  new All(Todo, { belongs: (todo) => todo.title })
  // @ts-expect-error a number
  new All(Todo, { compare: (a, b) => a.title < b.title })
  // @ts-expect-error no such option
  new All(Todo, { belong: () => true })
  // @ts-expect-error an array of entities is no entity
  new All([Todo])
  // @ts-expect-error nor is a list
  new All(new Collection([Todo]))
  // @ts-expect-error it takes no arguments
  controller.get(late, { status: 'open' })
})

test('the arguments of a selection are those of its functions', () => {
  const byStatus = new All(Todo, {
    compare: (a, b) => a.title.localeCompare(b.title),
    belongs: (todo, { status }: { status: Todo['status'] }) => todo.status === status,
  })
  expectTypeOf<SchemaArgs<typeof byStatus>>().toEqualTypeOf<[{ status: Todo['status'] }]>()
  controller.get(byStatus, { status: 'open' })
  // @ts-expect-error an argument is needed
  controller.get(byStatus)
  // @ts-expect-error no such status
  controller.get(byStatus, { status: 'lost' })
  const sorted = new All(Todo, {
    compare: (a, b, { by }: { by: 'title' | 'status' }) => a[by].localeCompare(b[by]),
    limit: ({ by }: { by: 'title' | 'status' }) => (by === 'title' ? 10 : 20),
  })
  controller.get(sorted, { by: 'title' })
  // @ts-expect-error no such column
  controller.get(sorted, { by: 'id' })
  const optional = new All(Todo, { limit: ({ top }: { top?: number } = {}) => top })
  controller.get(optional)
  controller.get(optional, { top: 5 })
})

test('a selection of a union receives any of its instances', () => {
  const union = new Union({ user: User, todo: Todo }, 'type')
  const options = { belongs: (row: User | Todo) => row.type === 'user' }
  expectTypeOf(controller.get(new All(union, options))).toEqualTypeOf<readonly (User | Todo)[] | undefined>()
  const kinds = new All({ user: User, todo: Todo }, 'type', { belongs: (row) => row.type === 'todo', limit: 5 })
  expectTypeOf(controller.get(kinds)).toEqualTypeOf<readonly (User | Todo)[] | undefined>()
  const byFunction = new All({ user: User, todo: Todo }, () => 'todo')
  expectTypeOf(controller.get(byFunction)).toEqualTypeOf<readonly (User | Todo)[] | undefined>()
})

test('counts have the names of their groups', () => {
  const counts = controller.get(countBy(new All(Todo), (todo) => todo.status))
  expectTypeOf(counts).toEqualTypeOf<{ readonly open?: number; readonly done?: number } | undefined>()
  // @ts-expect-error no such group
  counts?.lost
  expectTypeOf(controller.get(countBy(open, (todo) => todo.isPinned))?.true).toEqualTypeOf<number | undefined>()
  const byId = controller.get(countBy(open, (todo) => todo.author?.id))
  expectTypeOf(byId?.['5']).toEqualTypeOf<number | undefined>()
  expectTypeOf(controller.get(countBy(open, (todo) => todo.id))?.[5]).toEqualTypeOf<number | undefined>()
  const byStatus = new All(Todo, { belongs: (todo, { status }: { status: string }) => todo.status === status })
  controller.get(
    countBy(byStatus, (todo) => todo.title),
    { status: 'open' },
  )
  // @ts-expect-error an argument is needed
  controller.get(countBy(byStatus, (todo) => todo.title))
  // @ts-expect-error an object is no group
  countBy(open, (todo) => todo.author)
  // @ts-expect-error only of All
  countBy(new Collection([Todo]), (todo: Todo) => todo.status)
})

test('each receives the members of any list', () => {
  const titles = new Query(open, { each: (todo) => todo.title })
  expectTypeOf(controller.get(titles)).toEqualTypeOf<readonly string[] | undefined>()
  const listed = new Query(new Collection([Todo]), {
    each: ({ id }, { prefix }: { prefix: string }) => `${prefix}${id}`,
  })
  expectTypeOf(controller.get(listed, { prefix: 'a' })).toEqualTypeOf<readonly string[] | undefined>()
  expectTypeOf(controller.get(new Query(titles, (all) => all.join()))).toEqualTypeOf<string | undefined>()
  // @ts-expect-error no such field
  new Query(open, { each: (todo) => todo.nope })
  // @ts-expect-error an entity has no members
  new Query(Todo, { each: (todo) => todo.title })
  // @ts-expect-error no such option
  new Query(open, { every: (todo: Todo) => todo.title })
})

test('a Query can still be extended', () => {
  class Titles extends Query<All<typeof Todo>, [], string> {
    constructor() {
      super(new All(Todo), (todos) => todos.map(({ title }) => title).join())
    }
  }
  expectTypeOf(controller.get(new Titles())).toEqualTypeOf<string | undefined>()
})
