import { type Controller, Entity, type RestArgs, RestEndpoint, type RestGenerics } from '@roundtable/core'
import { describe, expectTypeOf, test } from 'vitest'

class User extends Entity {
  static override key = 'User'
  id = ''
  name = ''
}

declare const controller: Controller

describe('sideEffect, and what hooks accept', () => {
  test('S1: GET reads', () => {
    expectTypeOf(new RestEndpoint({ path: '/users' }).sideEffect).toEqualTypeOf<undefined>()
    expectTypeOf(new RestEndpoint({ path: '/users', method: 'GET' }).sideEffect).toEqualTypeOf<undefined>()
    controller.watch(new RestEndpoint({ path: '/users' }))
  })

  test('S2: other methods have side effects; reading them is an error, fetching is not', () => {
    for (const change of [
      new RestEndpoint({ path: '/users/:id', method: 'DELETE' }),
      new RestEndpoint({ path: '/users/:id', method: 'POST', body: undefined }),
      new RestEndpoint({ path: '/users/:id', method: 'PUT', body: undefined }),
      new RestEndpoint({ path: '/users/:id', method: 'PATCH', body: undefined }),
    ]) {
      expectTypeOf(change.sideEffect).toEqualTypeOf<true>()
      // @ts-expect-error it changes something
      controller.watch(change, { id: 5 })
      controller.fetch(change, { id: 5 })
    }
  })

  test('S3: a POST that says sideEffect: false reads', () => {
    const search = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: false, body: {} as { q: string } })
    expectTypeOf(search.sideEffect).toEqualTypeOf<false>()
    controller.watch(search, { q: 'a' })
    // S10
    // @ts-expect-error q is text
    controller.watch(search, { q: 5 })
    // @ts-expect-error there are no params
    controller.watch(search, {}, { q: 'a' })
  })

  test('S4: so does one that says sideEffect: undefined', () => {
    const search = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: undefined, body: undefined })
    expectTypeOf(search.sideEffect).toEqualTypeOf<undefined>()
    controller.watch(search)
    const later = new RestEndpoint({ path: '/search', method: 'POST', body: undefined }).extend({
      sideEffect: undefined,
    })
    expectTypeOf(later.sideEffect).toEqualTypeOf<undefined>()
    controller.watch(later)
  })

  test('S5: it stays so after extend', () => {
    const search = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: false, body: {} as { q: string } })
    expectTypeOf(search.extend({ path: '/search/:in' }).sideEffect).toEqualTypeOf<false>()
    const other = search.extend({ body: {} as { text: string }, searchParams: {} as { page: number } })
    expectTypeOf(other.extend({ dataExpiryLength: 5 }).sideEffect).toEqualTypeOf<false>()
    controller.watch(other, { page: 2 }, { text: 'a' })
  })

  test('S6: without a typed body', () => {
    const search = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: false })
    controller.watch(search)
    const searchIn = search.extend({ path: '/search/:id', body: undefined })
    controller.watch(searchIn, { id: 5 })
  })

  test('S7: extend({ sideEffect: false }) lasts', () => {
    const search = new RestEndpoint({ path: '/search', method: 'POST' }).extend({ sideEffect: false })
    expectTypeOf(search.sideEffect).toEqualTypeOf<false>()
    expectTypeOf(search.extend({ path: '/find' }).sideEffect).toEqualTypeOf<false>()
  })

  test('S8: sideEffect: true without a method is a GET that changes something', () => {
    const visit = new RestEndpoint({ path: '/visit/:id', sideEffect: true })
    expectTypeOf(visit.sideEffect).toEqualTypeOf<true>()
    visit({ id: 5 })
    // @ts-expect-error as a GET it has no body
    visit({ id: 5 }, {})
  })
})

describe('what a call resolves with', () => {
  test('R1: what process returns', async () => {
    const byOption = new RestEndpoint({ path: '/users/:id', process: (value): { name: string } => value })
    expectTypeOf(await byOption({ id: 5 })).toEqualTypeOf<{ name: string }>()
    const byMethod = new RestEndpoint({
      path: '/users/:id',
      process(value, { id }) {
        expectTypeOf(value).toBeAny()
        return { id, text: `${value}` }
      },
    })
    expectTypeOf(await byMethod({ id: 5 })).toEqualTypeOf<{ id: string | number; text: string }>()
    const byExtend = new RestEndpoint({ path: '/users/:id' }).extend({ process: () => 5 })
    expectTypeOf(await byExtend({ id: 5 })).toEqualTypeOf<number>()
    const later = new RestEndpoint({ path: '/users/:id' }).extend({ process: async () => 5 })
    expectTypeOf(await later({ id: 5 })).toEqualTypeOf<number>()
    class Named<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
      override process(value: string, ..._args: RestArgs<O>): { name: string } {
        return { name: value }
      }
    }
    expectTypeOf(await new Named({ path: '/users/:id' })({ id: 5 })).toEqualTypeOf<{ name: string }>()
  })

  test('R2: extend with another path keeps it', async () => {
    const get = new RestEndpoint({ path: '/users/:id', process: (value): { name: string } => value })
    expectTypeOf(await get.extend({ path: '/people/:who' })({ who: 5 })).toEqualTypeOf<{ name: string }>()
    class Named<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
      override async process(value: string, ..._args: RestArgs<O>): Promise<{ name: string }> {
        return { name: value }
      }
    }
    const moved = new Named({ path: '/users/:id' }).extend({ path: '/people/:who' })
    expectTypeOf(await moved({ who: 5 })).toEqualTypeOf<{ name: string }>()
  })

  test('R3: with a schema a call gives the plain answer, the controller gives data', async () => {
    const get = new RestEndpoint({ path: '/users/:id', schema: User })
    expectTypeOf(await get({ id: 5 })).toEqualTypeOf<{ id: string; name: string }>()
    // @ts-expect-error it is no instance
    ;(await get({ id: 5 })).pk()
    expectTypeOf(await controller.fetch(get, { id: 5 })).toEqualTypeOf<User>()
  })

  test('R4: schema and process', async () => {
    const get = new RestEndpoint({ path: '/users/:id', schema: User, process: (value): { name: string } => value })
    expectTypeOf(await get({ id: 5 })).toEqualTypeOf<{ name: string }>()
    expectTypeOf(await controller.fetch(get, { id: 5 })).toEqualTypeOf<User>()
  })

  test('R5: what content says', async () => {
    expectTypeOf(await new RestEndpoint({ path: '/f', content: 'blob' })()).toEqualTypeOf<Blob>()
    expectTypeOf(await new RestEndpoint({ path: '/f', content: 'text' })()).toEqualTypeOf<string>()
    expectTypeOf(await new RestEndpoint({ path: '/f', content: 'arrayBuffer' })()).toEqualTypeOf<ArrayBuffer>()
    expectTypeOf(await new RestEndpoint({ path: '/f', content: 'stream' })()).toEqualTypeOf<
      ReadableStream<Uint8Array>
    >()
    const file = new RestEndpoint({ path: '/f', content: 'blob' })
    expectTypeOf(await controller.fetch(file)).toEqualTypeOf<Blob>()
  })

  test('R6: JSON is any, and so is what is found out by its content-type', async () => {
    expectTypeOf(await new RestEndpoint({ path: '/f', content: 'json' })()).toBeAny()
    expectTypeOf(await new RestEndpoint({ path: '/f' })()).toBeAny()
  })

  test('R7: what is not JSON has no schema', () => {
    // @ts-expect-error
    new RestEndpoint({ path: '/f', content: 'blob', schema: User })
    // @ts-expect-error
    new RestEndpoint({ path: '/f', content: 'text', schema: User })
    // @ts-expect-error
    new RestEndpoint({ path: '/f', content: 'arrayBuffer', schema: User })
    // @ts-expect-error
    new RestEndpoint({ path: '/f', content: 'stream', schema: User })
    new RestEndpoint({ path: '/f', content: 'json', schema: User })
  })

  test('R8: schema: undefined may be said', () => {
    new RestEndpoint({ path: '/f', content: 'blob', schema: undefined })
  })

  test('R9: extend({ content }) of an endpoint with a schema takes the schema away', async () => {
    const get = new RestEndpoint({ path: '/f', schema: User })
    // @ts-expect-error there is still a schema
    get.extend({ content: 'blob' })
    expectTypeOf(await get.extend({ content: 'blob', schema: undefined })()).toEqualTypeOf<Blob>()
  })

  test('R10: and back again', async () => {
    const get = new RestEndpoint({ path: '/f', content: 'blob' }).extend({ content: 'json', schema: User })
    expectTypeOf(await get()).toEqualTypeOf<{ id: string; name: string }>()
    expectTypeOf(await controller.fetch(get)).toEqualTypeOf<User>()
  })

  test('R11: process says more than content', async () => {
    const size = new RestEndpoint({ path: '/f', content: 'blob', process: (blob: Blob) => blob.size })
    expectTypeOf(await size()).toEqualTypeOf<number>()
    expectTypeOf(await size.extend({ content: 'text' })()).toEqualTypeOf<number>()
  })

  test('R12: a class may say its content', () => {
    class File<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
      override content = 'blob' as const
    }
    expectTypeOf(new File({ path: '/f' }).content).toEqualTypeOf<'blob'>()
  })

  test('R13: extend with another option keeps the type of content', async () => {
    const get = new RestEndpoint({ path: '/f', content: 'text' }).extend({ dataExpiryLength: 0 })
    expectTypeOf(await get()).toEqualTypeOf<string>()
  })
})
