import { RestEndpoint } from '@roundtable/core'
import { describe, expectTypeOf, test } from 'vitest'

type Filter = { userId?: string }
type Needed = { userId: string }

declare const anyPath: string

describe('arguments: path and search params', () => {
  test('C1: static path, optional search params', () => {
    const maybe = new RestEndpoint({ path: '/users', searchParams: {} as Filter | undefined })
    const given = new RestEndpoint({ path: '/users', searchParams: {} as Filter })
    for (const get of [maybe, given]) {
      get()
      get({})
      get({ userId: 'a' })
    }
  })

  test('C2: static path, required search params', () => {
    const get = new RestEndpoint({ path: '/users', searchParams: {} as Needed })
    // @ts-expect-error the params are missing
    get()
    // @ts-expect-error userId is missing
    get({})
    get({ userId: 'a' })
  })

  test('C3: static path, no search params', () => {
    const none = new RestEndpoint({ path: '/users', searchParams: undefined })
    const left = new RestEndpoint({ path: '/users' })
    none()
    left()
    // @ts-expect-error there are no params
    none({})
    // @ts-expect-error there are no params
    left({})
    // @ts-expect-error there are no params
    none({ userId: 'a' })
    // @ts-expect-error there are no params
    left({ userId: 'a' })
  })

  test('C4: optional path param, no search params', () => {
    const none = new RestEndpoint({ path: '/users{/:id}', searchParams: undefined })
    const left = new RestEndpoint({ path: '/users{/:id}' })
    for (const get of [none, left]) {
      get()
      get({})
      get({ id: 5 })
    }
    // @ts-expect-error userId is no param
    none({ userId: 'a' })
    // @ts-expect-error userId is no param
    left({ userId: 'a' })
  })

  test('C5: optional path param, required search params', () => {
    const get = new RestEndpoint({ path: '/users{/:id}', searchParams: {} as Needed })
    // @ts-expect-error userId is missing
    get({ id: 5 })
    get({ userId: 'a' })
    get({ userId: 'a', id: 5 })
  })

  test('C6: required path param, optional search params', () => {
    const get = new RestEndpoint({ path: '/users/:id', searchParams: {} as Filter | undefined })
    // @ts-expect-error id is missing
    get()
    get({ id: 5 })
    get({ id: 5, userId: 'a' })
  })

  test('C7: required path param, required search params', () => {
    const get = new RestEndpoint({ path: '/users/:id', searchParams: {} as Needed })
    // @ts-expect-error userId is missing
    get({ id: 5 })
    get({ id: 5, userId: 'a' })
  })

  test('C8: required path param, no search params', () => {
    const none = new RestEndpoint({ path: '/users/:id', searchParams: undefined })
    const left = new RestEndpoint({ path: '/users/:id' })
    // @ts-expect-error userId is no param
    none({ id: 5, userId: 'a' })
    // @ts-expect-error userId is no param
    left({ id: 5, userId: 'a' })
  })

  test('C9: a path that is not known literally, optional search params', () => {
    const get = new RestEndpoint({ path: anyPath, searchParams: {} as Filter })
    get()
    get({})
    get({ userId: 'a' })
    // @ts-expect-error a number is no params
    get(5)
  })

  test('C10: a path that is not known literally, required search params', () => {
    const get = new RestEndpoint({ path: anyPath, searchParams: {} as Needed & Record<string, unknown> })
    // @ts-expect-error userId is missing
    get()
    // @ts-expect-error userId is missing
    get({})
    // @ts-expect-error userId is missing
    get({ id: 5 })
    get({ userId: 'a', id: 5 })
  })

  test('C11: a number is no argument of a GET', () => {
    // @ts-expect-error
    new RestEndpoint({ path: '/users' })(5)
    // @ts-expect-error
    new RestEndpoint({ path: '/users/:id' })(5)
    // @ts-expect-error
    new RestEndpoint({ path: '/users{/:id}' })(5)
  })

  test('C12: a GET takes no second argument', () => {
    // @ts-expect-error
    new RestEndpoint({ path: '/users' })({}, {})
    // @ts-expect-error
    new RestEndpoint({ path: '/users/:id' })({ id: 5 }, {})
    // @ts-expect-error
    new RestEndpoint({ path: '/users', searchParams: {} as Filter })({}, {})
  })

  test('C13: extend({ searchParams }) replaces the old ones', () => {
    const get = new RestEndpoint({ path: '/users/:id', searchParams: {} as Needed })
    const paged = get.extend({ searchParams: {} as { page: number } })
    paged({ id: 5, page: 2 })
    // @ts-expect-error page is missing
    paged({ id: 5 })
    // @ts-expect-error userId was replaced
    paged({ id: 5, page: 2, userId: 'a' })
  })

  test('C14: extend({ searchParams: undefined }) removes them', () => {
    const get = new RestEndpoint({ path: '/users', searchParams: {} as Needed }).extend({ searchParams: undefined })
    get()
    // @ts-expect-error there are none left
    get({ userId: 'a' })
  })

  test('C15: extend({ path }) keeps search params', () => {
    const get = new RestEndpoint({ path: '/users', searchParams: {} as Needed }).extend({ path: '/users/:id' })
    get({ id: 5, userId: 'a' })
    // @ts-expect-error userId is missing
    get({ id: 5 })
    // @ts-expect-error id is missing
    get({ userId: 'a' })
  })

  test('C16: search params are of the declared type', () => {
    const get = new RestEndpoint({ path: '/users', searchParams: {} as { page?: number; sort?: 'asc' | 'desc' } })
    get({ page: 2, sort: 'asc' })
    // @ts-expect-error page is a number
    get({ page: '2' })
    // @ts-expect-error no such order
    get({ sort: 'up' })
  })

  test('wildcards take arrays, groups are all or nothing', () => {
    const getFile = new RestEndpoint({ path: '/files/*path' })
    getFile({ path: ['a', 'b'] })
    // @ts-expect-error a wildcard is an array
    getFile({ path: 'a/b' })
    const getPair = new RestEndpoint({ path: '/x{/:a/:b}' })
    getPair()
    getPair({ a: 1, b: 2 })
    // @ts-expect-error b is missing
    getPair({ a: 1 })
  })

  test('search params of type any', () => {
    // biome-ignore lint/suspicious/noExplicitAny: that is what is tested.
    const get = new RestEndpoint({ path: '/users', searchParams: {} as any })
    get()
    get({ whatever: { is: 'given' } })
    expectTypeOf(get).parameter(0).toBeAny()
  })

  test('url and key take what a call takes', () => {
    const get = new RestEndpoint({ path: '/users/:id' })
    expectTypeOf(get.url({ id: 5 })).toEqualTypeOf<string>()
    expectTypeOf(get.key({ id: 5 })).toEqualTypeOf<string>()
    expectTypeOf(get.testKey('GET /users/5')).toEqualTypeOf<boolean>()
    // @ts-expect-error id is missing
    get.key({})
    // @ts-expect-error there is no such param
    get.url({ id: 5, other: 6 })
    const update = new RestEndpoint({ path: '/users/:id', method: 'PUT', body: {} as { name: string } })
    update.key({ id: 5 }, { name: 'Ann' })
    // @ts-expect-error a body has a name
    update.key({ id: 5 }, {})
  })
})
