import {
  Collection,
  type Controller,
  type Denormalize,
  Entity,
  hookifyResource,
  Query,
  RestEndpoint,
  type RestGenerics,
  resource,
  Union,
} from '@roundtable/core'
import { describe, expectTypeOf, test } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
  done = false
}

declare const controller: Controller

const todos = resource({ path: '/lists/:list/todos/:id', schema: Todo })

describe('resource', () => {
  test('options that depend on a condition, by spread', async () => {
    const isOrdered = Math.random() > 0.5
    const mutationOptions = { timeout: 10_000 }
    const base = { path: '/todos/:id', schema: Todo, body: {} as { title: string } } as const
    const either = resource({ ...base, ...(isOrdered ? { mutationOptions } : {}) })
    const maybe = resource({ ...base, ...(isOrdered && { mutationOptions, optimistic: true }) })
    for (const made of [either, maybe]) {
      expectTypeOf(await controller.fetch(made.get, { id: 5 })).toEqualTypeOf<Todo>()
      made.create({ title: 'a' })
      // @ts-expect-error not in the body
      made.create({ titel: 'a' })
      // @ts-expect-error id is missing
      made.partialUpdate({}, { title: 'a' })
    }
  })

  test('U1: get', async () => {
    todos.get({ list: 1, id: 5 })
    // @ts-expect-error id is missing
    todos.get({ list: 1 })
    // @ts-expect-error no such param
    todos.get({ list: 1, id: 5, other: 6 })
    expectTypeOf(await controller.fetch(todos.get, { list: 1, id: 5 })).toEqualTypeOf<Todo>()
  })

  test('U2: getList takes all params but the last', async () => {
    todos.getList({ list: 1 })
    // @ts-expect-error list is missing
    todos.getList({})
    // @ts-expect-error list is missing
    todos.getList()
    expectTypeOf(await controller.fetch(todos.getList, { list: 1 })).toEqualTypeOf<readonly Todo[]>()
  })

  test('U3: any search params', () => {
    const all = resource({ path: '/todos/:id', schema: Todo })
    all.getList()
    all.getList({ done: true, sort: 'asc', page: 2 })
    // @ts-expect-error an object needs a searchToString of one's own
    all.getList({ filter: { done: true } })
    todos.getList({ list: 1, sort: 'asc' })
  })

  test('U4: or those that are declared', () => {
    const some = resource({ path: '/todos/:id', schema: Todo, searchParams: {} as { done?: boolean } })
    some.getList()
    some.getList({ done: true })
    // @ts-expect-error no such search param
    some.getList({ sort: 'asc' })
    const none = resource({ path: '/todos/:id', schema: Todo, searchParams: undefined })
    none.getList()
    // @ts-expect-error there are none
    none.getList({ sort: 'asc' })
  })

  test('U5: update takes fields of the entity, or a form', () => {
    todos.update({ list: 1, id: 5 }, { title: 'Milk' })
    todos.update({ list: 1, id: 5 }, new FormData())
    // @ts-expect-error no such field
    todos.update({ list: 1, id: 5 }, { sdf: 'never' })
    // @ts-expect-error a third argument
    todos.update({ list: 1, id: 5 }, {}, {})
    // @ts-expect-error the body is missing
    todos.update({ list: 1, id: 5 })
  })

  test('U6: with body, update takes all of it and partialUpdate parts', () => {
    const typed = resource({ path: '/todos/:id', schema: Todo, body: {} as { title: string; due: Date } })
    typed.update({ id: 5 }, { title: 'Milk', due: new Date() })
    // @ts-expect-error due is missing
    typed.update({ id: 5 }, { title: 'Milk' })
    typed.partialUpdate({ id: 5 }, { title: 'Milk' })
    // @ts-expect-error title is text
    typed.partialUpdate({ id: 5 }, { title: 5 })
    typed.create({ title: 'Milk', due: new Date() })
    // @ts-expect-error due is missing
    typed.create({ title: 'Milk' })
  })

  test('U7: delete takes params alone', async () => {
    todos.delete({ list: 1, id: 5 })
    // @ts-expect-error there is no body
    todos.delete({ list: 1, id: 5 }, {})
    expectTypeOf(await controller.fetch(todos.delete, { list: 1, id: 5 })).toEqualTypeOf<Todo | undefined>()
    expectTypeOf(todos.delete.sideEffect).toEqualTypeOf<true>()
  })

  test('U8: extend(name, options) changes an endpoint, or adds one', () => {
    const more = todos.extend('getList', { searchParams: {} as { q: string } }).extend('current', { path: '/current' })
    more.getList({ list: 1, q: 'a' })
    // @ts-expect-error q is missing
    more.getList({ list: 1 })
    more.current()
    // @ts-expect-error it takes none
    more.current({ id: 5 })
    more.get({ list: 1, id: 5 })
  })

  test('U9: extend({ name: options }) changes several', () => {
    const more = todos.extend({
      get: { path: '/tasks/:task' },
      update: { path: '/tasks/:task', body: {} as { title: string } },
    })
    more.get({ task: 5 })
    // @ts-expect-error the path was changed
    more.get({ list: 1, id: 5 })
    more.update({ task: 5 }, { title: 'Milk' })
    // @ts-expect-error title is missing
    more.update({ task: 5 }, {})
    const again = more.extend({ create: { path: '/new' } }).extend('get', { searchParams: {} as { full: boolean } })
    again.create({ title: 'Milk' })
    again.get({ task: 5, full: true })
    // @ts-expect-error full is missing
    again.get({ task: 5 })
    // @ts-expect-error there is no such endpoint
    todos.extend({ current: { path: '/current' } })
  })

  test('U10: extend((base) => endpoints)', () => {
    const more = todos.extend((base) => ({
      current: base.get.extend({ path: '/current' }),
      get: base.get.extend({ searchParams: {} as { full?: boolean } }),
    }))
    more.current()
    more.get({ list: 1, id: 5, full: true })
    more.update({ list: 1, id: 5 }, {})
    expectTypeOf(more.extend('get', { urlPrefix: '/v2' }).current).toEqualTypeOf<typeof more.current>()
  })

  test('U11: a class of endpoints of one’s own', () => {
    class WithToken<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
      accessToken = ''
    }
    const own = resource({ path: '/todos/:id', schema: Todo, Endpoint: WithToken })
    expectTypeOf(own.get.accessToken).toEqualTypeOf<string>()
    expectTypeOf(own.getList.accessToken).toEqualTypeOf<string>()
    expectTypeOf(own.delete.extend({ accessToken: 'abc' }).accessToken).toEqualTypeOf<string>()
    // @ts-expect-error a token is text
    own.get.extend({ accessToken: 5 })
    own.get({ id: 5 })
  })

  test('U12: a Union narrows', async () => {
    class Video extends Entity {
      static override key = 'Video'
      id = ''
      type = 'video' as const
      length = 0
    }
    class Text extends Entity {
      static override key = 'Text'
      id = ''
      type = 'text' as const
      words = 0
    }
    const feed = resource({ path: '/feed/:id', schema: new Union({ video: Video, text: Text }, 'type') })
    for (const item of await controller.fetch(feed.getList)) {
      if (item.type === 'video') expectTypeOf(item.length).toEqualTypeOf<number>()
      else expectTypeOf(item).toEqualTypeOf<Text>()
    }
  })

  test('U13: a Query over the list takes its search params', () => {
    const some = resource({ path: '/todos/:id', schema: Todo, searchParams: {} as { userId?: string } | undefined })
    const open = new Query(some.getList.schema, (all) => all.filter((todo) => !todo.done))
    controller.get(open, { userId: 'a' })
    // @ts-expect-error no such search param
    controller.get(open, { user: 1 })
    // @ts-expect-error a number is no params
    controller.get(open, 5)
  })

  test('U14: create is the push of the list', () => {
    todos.create({ list: 1 }, { title: 'Milk' })
    const notify = todos.create.extend({
      searchParams: {} as { notify: boolean },
      getOptimisticResponse(_snapshot, params, body) {
        expectTypeOf(params.notify).toEqualTypeOf<boolean>()
        return body
      },
    })
    notify({ list: 1, notify: true }, { title: 'Milk' })
  })

  test('create has the type of another getList', () => {
    class Draft extends Entity {
      static override key = 'Draft'
      id = ''
      text = ''
    }
    const schema = new Collection([Draft])
    const forms = [
      todos.extend('getList', { schema }).create,
      todos.extend({ getList: { schema: { data: schema, total: 0 } }, create: { timeout: 5_000 } }).create,
      todos.extend((base) => ({ getList: base.getList.extend({ schema }) })).create,
      todos.extend('create', { timeout: 5_000 }).extend('getList', { schema }).create,
    ] as const
    expectTypeOf<Denormalize<(typeof forms)[number]['schema']>>().toEqualTypeOf<Draft>()
    expectTypeOf<Parameters<(typeof forms)[0]>>().toEqualTypeOf<Parameters<typeof todos.create>>()

    expectTypeOf(todos.extend('getList', { schema: new Collection([Todo]) }).create).toEqualTypeOf<
      typeof todos.create
    >()
    expectTypeOf(todos.extend('getList', { schema: [Todo] }).create).toEqualTypeOf<typeof todos.create>()
    expectTypeOf(todos.extend('getList', { searchParams: {} as { q: string } }).create).toEqualTypeOf<
      typeof todos.create
    >()
    const own = [
      todos.extend({ getList: { schema }, create: { schema: Todo } }).create,
      todos.extend('create', { schema: Todo }).extend('getList', { schema }).create,
      todos.extend('getList', { schema }).extend('create', { schema: Todo }).create,
    ] as const
    expectTypeOf<Denormalize<(typeof own)[number]['schema']>>().toEqualTypeOf<Todo>()
  })

  test('U15: endpoints fit the types that are written out for them', () => {
    const update: RestEndpoint<{
      path: '/todos/:id'
      method: 'PUT'
      schema: typeof Todo
      body: { title: string }
    }> = resource({ path: '/todos/:id', schema: Todo, body: {} as { title: string } }).update
    update({ id: 5 }, { title: 'Milk' })
  })

  test('U16: hookifyResource', () => {
    const hooks = hookifyResource(todos, () => ({ headers: { 'Access-Token': 'abc' } }))
    expectTypeOf(hooks.useGet()).toEqualTypeOf<typeof todos.get>()
    expectTypeOf(hooks.useGetList().push).toEqualTypeOf<typeof todos.getList.push>()
    hooks.useUpdate()({ list: 1, id: 5 }, { title: 'Milk' })
    expectTypeOf<keyof typeof hooks>().toEqualTypeOf<
      'useGet' | 'useGetList' | 'useCreate' | 'useUpdate' | 'usePartialUpdate' | 'useDelete'
    >()
  })

  test('its options are checked', () => {
    // @ts-expect-error a resource is made of entities
    resource({ path: '/todos/:id', schema: 5 })
    // @ts-expect-error
    resource({ path: '/todos/:id', schema: Todo, optimistic: 'yes' })
    // @ts-expect-error
    resource({ path: '/todos/:id' })
  })
})
