import { Entity, type ErrorWithStatus, type PathParam, RestEndpoint, resource, type Snapshot } from '@roundtable/core'
import { describe, expectTypeOf, test } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
  done = false
}

interface Draft {
  title: string
}

describe('callbacks know the arguments of the call', () => {
  test('K1: getOptimisticResponse(snapshot, body) of a POST on a static path', () => {
    new RestEndpoint({
      path: '/todos',
      method: 'POST',
      body: {} as Draft,
      getOptimisticResponse(snapshot, body) {
        expectTypeOf(snapshot).toEqualTypeOf<Snapshot>()
        expectTypeOf(body).toEqualTypeOf<Draft>()
        return body
      },
    })
  })

  test('K2: with optional search params the number of arguments varies, the last is the body', () => {
    new RestEndpoint({
      path: '/todos',
      method: 'POST',
      searchParams: {} as { notify?: boolean },
      body: {} as Draft,
      getOptimisticResponse(_snapshot, ...args) {
        expectTypeOf(args).toEqualTypeOf<[body: Draft] | [params: { notify?: boolean }, body: Draft]>()
        return args.length === 1 ? args[0] : args[1]
      },
    })
  })

  test('K3: getOptimisticResponse(snapshot, params, body) of a POST on a path with params', () => {
    new RestEndpoint({
      path: '/todos/:id',
      method: 'POST',
      getOptimisticResponse(_snapshot, params, body) {
        expectTypeOf(params).toEqualTypeOf<{ id: PathParam }>()
        expectTypeOf(body).toBeAny()
        // @ts-expect-error there is no such param
        return { id: params.id, other: params.other }
      },
    })
  })

  test('K4: the same through extend', () => {
    const base = new RestEndpoint({ path: '/', method: 'POST' })
    base.extend({
      path: '/todos',
      body: {} as Draft,
      getOptimisticResponse(_snapshot, body) {
        expectTypeOf(body).toEqualTypeOf<Draft>()
        return body
      },
    })
    base.extend({
      path: '/todos',
      searchParams: {} as { notify?: boolean },
      body: {} as Draft,
      getOptimisticResponse(_snapshot, ...args) {
        expectTypeOf(args.at(-1)).toEqualTypeOf<Draft | { notify?: boolean } | undefined>()
        return args
      },
    })
    base.extend({
      path: '/todos/:id',
      getOptimisticResponse(_snapshot, params, _body) {
        expectTypeOf(params.id).toEqualTypeOf<PathParam>()
        // @ts-expect-error there is no such param
        return params.other
      },
    })
  })

  test('K5: through the three forms of resource.extend', () => {
    const base = resource({ path: '/todos/:id', schema: Todo })
    base.extend('get', {
      path: '/tasks/:task',
      getOptimisticResponse(_snapshot, params) {
        expectTypeOf(params).toEqualTypeOf<{ task: PathParam }>()
        return params
      },
    })
    base.extend({
      update: {
        path: '/tasks/:task',
        getOptimisticResponse(_snapshot, params, body) {
          expectTypeOf(params).toEqualTypeOf<{ task: PathParam }>()
          // @ts-expect-error there is no such param
          return { ...body, id: params.id }
        },
      },
      partialUpdate: {
        getOptimisticResponse(snapshot, params, body) {
          expectTypeOf(params).toEqualTypeOf<{ id: PathParam }>()
          if (!snapshot.get(Todo, params)) throw snapshot.abort
          return { ...params, ...body }
        },
      },
      delete: {
        getOptimisticResponse(_snapshot, params) {
          expectTypeOf(params).toEqualTypeOf<{ id: PathParam }>()
          return params
        },
      },
    })
    base.extend((resource) => ({
      update: resource.update.extend({
        getOptimisticResponse(_snapshot, params) {
          expectTypeOf(params).toEqualTypeOf<{ id: PathParam }>()
          return params
        },
      }),
    }))
  })

  test('K6: an endpoint without arguments', () => {
    const more = resource({ path: '/todos/:id', schema: Todo }).extend((base) => ({
      current: base.get.extend({
        path: '/todos/current',
        getOptimisticResponse(snapshot) {
          return snapshot.get(Todo, { id: 'current' })
        },
      }),
    }))
    more.current()
    // @ts-expect-error it takes none
    more.current({ id: 5 })
  })

  test('K7: key and url', () => {
    const get = new RestEndpoint({
      path: '/todos/:id',
      searchParams: {} as { cursor?: string },
      key({ id, cursor }) {
        expectTypeOf(id).toEqualTypeOf<PathParam>()
        expectTypeOf(cursor).toEqualTypeOf<string | undefined>()
        return `todo ${id}`
      },
      url({ cursor, ...params }) {
        expectTypeOf(cursor).toEqualTypeOf<string | undefined>()
        return RestEndpoint.prototype.url.call(this, params)
      },
    })
    get({ id: 5 })
    get.extend({
      key({ id }) {
        expectTypeOf(id).toEqualTypeOf<PathParam>()
        return `${id}`
      },
    })
  })

  test('K8: process(value, ...args)', () => {
    new RestEndpoint({
      path: '/todos/:id',
      method: 'PUT',
      body: {} as Draft,
      process(value, params, body) {
        expectTypeOf(params).toEqualTypeOf<{ id: PathParam }>()
        expectTypeOf(body).toEqualTypeOf<Draft>()
        return { ...value, ...params }
      },
    })
  })

  test('K9: update(normalized, ...args)', () => {
    const getAll = new RestEndpoint({ path: '/todos', schema: [Todo] })
    new RestEndpoint({
      path: '/todos',
      method: 'POST',
      schema: Todo,
      body: {} as Draft,
      update(newId, body) {
        expectTypeOf(newId).toEqualTypeOf<string>()
        expectTypeOf(body).toEqualTypeOf<Draft>()
        return { [getAll.key()]: (ids = []) => [newId, ...ids] }
      },
    })
    // @ts-expect-error it returns functions by key
    getAll.extend({ update: () => ({ key: 5 }) })
  })

  test('K10: the snapshot', () => {
    const get = new RestEndpoint({ path: '/todos/:id', schema: Todo })
    get.extend({
      getOptimisticResponse(snapshot, { id }) {
        expectTypeOf(snapshot.get(Todo, { id })).toEqualTypeOf<Todo | undefined>()
        expectTypeOf(snapshot.getResponse(get, { id }).data).toEqualTypeOf<Todo | undefined>()
        expectTypeOf(snapshot.getError(get, { id })).toEqualTypeOf<ErrorWithStatus | undefined>()
        expectTypeOf(snapshot.fetchedAt).toEqualTypeOf<number>()
        // @ts-expect-error id is missing
        snapshot.getResponse(get)
        throw snapshot.abort
      },
    })
  })

  test('errorPolicy may compare the status', () => {
    new RestEndpoint({
      path: '/todos',
      errorPolicy: (error) => (error.status >= 500 ? 'soft' : undefined),
    })
    // @ts-expect-error there is no such policy
    new RestEndpoint({ path: '/todos', errorPolicy: () => 'hard' })
  })

  test('this in an option is the endpoint, with members that the options add', () => {
    new RestEndpoint({
      path: '/todos/:id',
      accessToken: 'abc',
      getHeaders(headers) {
        expectTypeOf(headers).toEqualTypeOf<Record<string, string>>()
        expectTypeOf(this.accessToken).toEqualTypeOf<string>()
        expectTypeOf(this.url({ id: 5 })).toEqualTypeOf<string>()
        // @ts-expect-error nobody has added that
        return { ...headers, 'Access-Token': this.accessToken, other: this.other }
      },
    })
  })

  test('options have the types that they are documented with', () => {
    // @ts-expect-error
    new RestEndpoint({ path: '/todos', dataExpiryLength: '5' })
    // @ts-expect-error
    new RestEndpoint({ path: '/todos', invalidIfStale: 'yes' })
    // @ts-expect-error
    new RestEndpoint({ path: '/todos', urlPrefix: 5 })
    // @ts-expect-error
    new RestEndpoint({ path: '/todos', content: 'xml' })
    // @ts-expect-error
    new RestEndpoint({ path: '/todos' }).extend({ path: 5 })
    // @ts-expect-error
    new RestEndpoint({ path: '/todos' }).extend({ signal: 'abort' })
    // @ts-expect-error
    new RestEndpoint({ method: 'GET' })
  })
})
