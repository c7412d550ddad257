import {
  Collection,
  type Controller,
  Entity,
  type RestArgs,
  RestEndpoint,
  resource,
  type SchemaContract,
  Values,
} from '@roundtable/core'
import { describe, expectTypeOf, test } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
  done = false
}

declare const controller: Controller

describe('pages', () => {
  test('G1: without paginationField there is no getPage', () => {
    const get = new RestEndpoint({ path: '/todos', schema: new Collection([Todo]) })
    expectTypeOf(get.getPage).toEqualTypeOf<undefined>()
    // @ts-expect-error it is undefined
    get.getPage({ cursor: 'a' })
  })

  const get = new RestEndpoint({
    path: '/lists/:list/todos',
    searchParams: {} as { sort?: string },
    schema: new Collection([Todo]),
    paginationField: 'cursor',
  })

  test('G2: with it, getPage takes the field and what the list needs', async () => {
    get.getPage({ list: 5, cursor: 'a' })
    // @ts-expect-error cursor is missing
    get.getPage({ list: 5 })
    // @ts-expect-error list is missing
    get.getPage({ cursor: 'a' })
    expectTypeOf(await controller.fetch(get.getPage, { list: 5, cursor: 'a' })).toEqualTypeOf<readonly Todo[]>()
  })

  test('G3: a field of another name is an error', () => {
    // @ts-expect-error it is called cursor
    get.getPage({ list: 5, page: 'a' })
  })

  test('G4: the field is text, a number or a boolean', () => {
    get.getPage({ list: 5, cursor: 5 })
    get.getPage({ list: 5, cursor: true })
    // @ts-expect-error
    get.getPage({ list: 5, cursor: {} })
    // @ts-expect-error
    get.getPage({ list: 5, cursor: undefined })
  })

  test('G5: other search params stay what they are', () => {
    get.getPage({ list: 5, cursor: 'a', sort: 'asc' })
    const needing = get.extend({ searchParams: {} as { userId: string } })
    needing.getPage({ list: 5, cursor: 'a', userId: 'b' })
    // @ts-expect-error userId is missing
    needing.getPage({ list: 5, cursor: 'a' })
  })

  test('G6: a field of a required body becomes required there', () => {
    const search = new RestEndpoint({
      path: '/search',
      method: 'POST',
      sideEffect: false,
      body: {} as { text: string; cursor?: string },
      schema: new Collection([Todo]),
      paginationField: 'cursor',
    })
    search({ text: 'a' })
    search.getPage({ text: 'a', cursor: 'b' })
    // @ts-expect-error cursor is missing
    search.getPage({ text: 'a' })
    // @ts-expect-error there is no second argument
    search.getPage({ cursor: 'b' }, { text: 'a' })
  })

  test('G7, G8: a field that is not in the body goes into the search params', () => {
    const search = new RestEndpoint({
      path: '/search{/:group}',
      method: 'POST',
      sideEffect: false,
      body: {} as { text: string } | undefined,
      schema: new Collection([Todo]),
      paginationField: 'cursor',
    })
    search.getPage({ cursor: 'b' }, { text: 'a' })
    search.getPage({ cursor: 'b' }, undefined)
    search.getPage({ cursor: 'b', group: 5 }, { text: 'a' })
    // @ts-expect-error cursor is missing
    search.getPage({ group: 5 }, { text: 'a' })
  })

  test('G9: paginated(field) does the same with any field', () => {
    const page = new RestEndpoint({ path: '/todos', schema: new Collection([Todo]) }).paginated('page')
    page({ page: 2 })
    // @ts-expect-error page is missing
    page()
    get.paginated('page')({ list: 5, page: 2 })
  })

  test('G10: paginated(removeCursor) takes the arguments of that function', () => {
    const page = get.paginated(({ cursor, ...params }: { list: string; cursor: Date }) => [params])
    page({ list: '5', cursor: new Date() })
    // @ts-expect-error cursor is missing
    page({ list: '5' })
    // @ts-expect-error cursor is a Date
    page({ list: '5', cursor: 'a' })
  })

  test('G11: extend keeps the arguments of a page', () => {
    const page = get.paginated(({ cursor, ...params }: { list: string; cursor: number }) => [params])
    page.extend({ dataExpiryLength: 5 })({ list: '5', cursor: 5 })
    // @ts-expect-error cursor is missing
    page.extend({ dataExpiryLength: 5 })({ list: '5' })
    page.extend({
      key({ list }) {
        return list
      },
    })({ list: '5', cursor: 5 })
    get.getPage.extend({ dataExpiryLength: 5 })({ list: 5, cursor: 'a' })
  })

  test('G12: extend of the list keeps getPage and adjusts it', () => {
    get.extend({ dataExpiryLength: 5 }).getPage({ list: 5, cursor: 'a' })
    get.extend({ dataExpiryLength: 5 }).extend({ urlPrefix: '/v1' }).getPage({ list: 5, cursor: 'a' })
    get.extend({ path: '/users/:user/todos' }).getPage({ user: 5, cursor: 'a' })
    const other = get.extend({ path: '/all', searchParams: {} as { q: string }, paginationField: 'page' })
    other.getPage({ q: 'a', page: 2 })
    // @ts-expect-error the field is called page now
    other.getPage({ q: 'a', cursor: 2 })
  })

  const lists = resource({ path: '/todos/:id', schema: Todo, paginationField: 'cursor' })

  test('G13: a resource with paginationField has getList.getPage, without it not', () => {
    lists.getList.getPage({ cursor: 'a' })
    lists.getList.getPage({ cursor: 'a', sort: 'asc' })
    // @ts-expect-error cursor is missing
    lists.getList.getPage({ sort: 'asc' })
    expectTypeOf(resource({ path: '/todos/:id', schema: Todo }).getList.getPage).toEqualTypeOf<undefined>()
  })

  test('G14: resource.extend keeps getPage', () => {
    lists.extend('getList', { dataExpiryLength: 5 }).getList.getPage({ cursor: 'a' })
    lists.extend({ getList: { dataExpiryLength: 5 } }).getList.getPage({ cursor: 'a' })
    const nested = { todos: new Collection([Todo]), next: '' }
    lists.extend('getList', { schema: nested }).getList.getPage({ cursor: 'a' })
    const filtered = lists.extend('getList', { searchParams: {} as { userId: string } })
    filtered.getList.getPage({ cursor: 'a', userId: 'b' })
    // @ts-expect-error userId is missing
    filtered.getList.getPage({ cursor: 'a' })
  })

  test('G15: paginated(field) on the list of a resource', () => {
    resource({ path: '/todos/:id', schema: Todo }).getList.paginated('page')({ page: 2 })
  })

  test('G16: a Collection in an object', async () => {
    const nested = new RestEndpoint({
      path: '/todos',
      schema: { todos: new Collection([Todo]), next: '' },
      paginationField: 'cursor',
    })
    nested.getPage({ cursor: 'a' })
    const page = await controller.fetch(nested.getPage, { cursor: 'a' })
    expectTypeOf(page).toEqualTypeOf<{ readonly todos: readonly Todo[]; readonly next: string }>()
  })
})

describe('accessors', () => {
  const get = new RestEndpoint({ path: '/todos', schema: new Collection([Todo]) })

  test('X1: push takes the fields of the entity, an array of them, or a form', () => {
    get.push({ title: 'Milk' })
    get.push([{ title: 'Milk' }, { title: 'Eggs' }])
    get.push(new FormData())
    // @ts-expect-error no such field
    get.push({ titel: 'Milk' })
    // @ts-expect-error title is text
    get.push({ title: 5 })
  })

  test('X2: push needs a body', () => {
    // @ts-expect-error
    get.push()
  })

  test('X3: push takes the params of the list first', () => {
    const inList = new RestEndpoint({ path: '/lists/:list/todos', schema: new Collection([Todo]) })
    inList.push({ list: 5 }, { title: 'Milk' })
    // @ts-expect-error the params are missing
    inList.push({ title: 'Milk' })
    const filtered = get.extend({ searchParams: {} as { userId: string } })
    filtered.push({ userId: 'a' }, { title: 'Milk' })
    // @ts-expect-error the params are missing
    filtered.push({ title: 'Milk' })
  })

  test('X4: the body option of a resource types push and unshift', () => {
    const todos = resource({ path: '/todos/:id', schema: Todo, body: {} as { title: string; due: Date } })
    todos.getList.push({ title: 'Milk', due: new Date() })
    // @ts-expect-error due is missing
    todos.getList.push({ title: 'Milk' })
    // @ts-expect-error due is missing
    todos.getList.unshift({ title: 'Milk' })
  })

  test('X5: push shows one entity', async () => {
    expectTypeOf(await controller.fetch(get.push, { title: 'Milk' })).toEqualTypeOf<Todo | null>()
    expectTypeOf(get.push.sideEffect).toEqualTypeOf<true>()
  })

  test('X6: unshift is as push', async () => {
    get.unshift({ title: 'Milk' })
    // @ts-expect-error no such field
    get.unshift({ titel: 'Milk' })
    expectTypeOf(await controller.fetch(get.unshift, { title: 'Milk' })).toEqualTypeOf<Todo | null>()
  })

  test('X7: assign takes members by key, for a Collection of Values only', () => {
    const byName = new RestEndpoint({ path: '/rates', schema: new Collection(new Values(Todo)) })
    byName.assign({ USD: { title: 'Dollar' } })
    byName.assign(new FormData())
    // @ts-expect-error no such field
    byName.assign({ USD: { titel: 'Dollar' } })
    // @ts-expect-error an array has no keys
    get.assign({ USD: { title: 'Dollar' } })
  })

  test('X8: remove takes fields or a form', () => {
    get.remove({ id: '5' })
    get.remove(new FormData())
    // @ts-expect-error no such field
    get.remove({ nr: '5' })
  })

  test('X9: move takes the params of movePath', () => {
    const inList = new RestEndpoint({
      path: '/lists/:list/todos',
      movePath: '/todos/:id',
      searchParams: {} as { sort: string },
      schema: new Collection([Todo]),
    })
    inList.move({ id: 5 }, { title: 'Milk' })
    // @ts-expect-error id is missing
    inList.move({ list: 5, sort: 'asc' }, { title: 'Milk' })
    get.move({ title: 'Milk' })
    const todos = resource({ path: '/lists/:list/todos/:id', schema: Todo })
    todos.getList.move({ list: 5, id: 6 }, { title: 'Milk' })
    // @ts-expect-error id is missing
    todos.getList.move({ list: 5 }, { title: 'Milk' })
  })

  test('X10: without a Collection there is nothing to call', () => {
    const one = new RestEndpoint({ path: '/todos/:id', schema: Todo })
    // @ts-expect-error
    one.push({ id: 5 }, {})
    // @ts-expect-error
    new RestEndpoint({ path: '/todos', schema: [Todo] }).push({})
    // @ts-expect-error
    new RestEndpoint({ path: '/todos' }).remove({})
  })

  test('X11: process of an accessor takes its arguments', () => {
    // biome-ignore lint/suspicious/noExplicitAny: an answer may be anything.
    get.push.process({} as any, { title: 'Milk' })
    // biome-ignore lint/suspicious/noExplicitAny: an answer may be anything.
    const answer = {} as any
    // @ts-expect-error no such field
    get.push.process(answer, { titel: 'Milk' })
    expectTypeOf<RestArgs<{ path: '/todos/:id'; method: 'PUT'; body: { title: string } }>>().toEqualTypeOf<
      [params: { id: string | number }, body: { title: string }]
    >()
  })

  test('X12: an endpoint fits the type that is written out for it', () => {
    const getTodo: RestEndpoint<{ path: '/todos/:id'; schema: typeof Todo }> = new RestEndpoint({
      path: '/todos/:id',
      schema: Todo,
    })
    getTodo({ id: 5 })
    // @ts-expect-error id is missing
    getTodo()
    const any: RestEndpoint = getTodo
    any.key({ whatever: 5 })
  })

  test('the Collection may stand in an object', async () => {
    const nested = new RestEndpoint({ path: '/todos', schema: { todos: new Collection([Todo]), next: '' } })
    nested.push({ title: 'Milk' })
    expectTypeOf(await controller.fetch(nested.push, { title: 'Milk' })).toEqualTypeOf<Todo | null>()
  })
})

test('G11: pages need a Collection in the schema; a schema of the own may have one', () => {
  const lists = {
    none: new RestEndpoint({ path: '/todos' }),
    plain: new RestEndpoint({ path: '/todos', schema: [Todo] }),
    entity: new RestEndpoint({ path: '/todos', schema: Todo }),
    record: new RestEndpoint({ path: '/todos', schema: { items: [Todo], next: '' } }),
  }
  // @ts-expect-error
  lists.none.paginated('cursor')
  // @ts-expect-error
  lists.plain.paginated('cursor')
  // @ts-expect-error
  lists.entity.paginated('cursor')
  // @ts-expect-error
  lists.record.paginated('cursor')
  // @ts-expect-error
  lists.record.paginated(({ cursor, ...rest }: { cursor: string }) => [rest])
  class Own implements SchemaContract {
    normalize(input: unknown) {
      return input
    }
    denormalize(value: unknown) {
      return value
    }
  }
  new RestEndpoint({ path: '/todos', schema: new Own() }).paginated('cursor')
  new RestEndpoint({ path: '/todos', schema: { items: new Own(), next: '' } }).paginated('cursor')
})
