import {
  type Controller,
  Endpoint,
  type EndpointData,
  type EndpointInterface,
  type EndpointParam,
  Entity,
  type MutateEndpoint,
  type ReadEndpoint,
  type ResolveType,
} from '@roundtable/core'
import { describe, expectTypeOf, test } from 'vitest'

class User extends Entity {
  static override key = 'User'
  id = ''
}

declare const controller: Controller

describe('Endpoint', () => {
  const getUser = new Endpoint(async (id: string, full?: boolean) => ({ id, full }), { name: 'getUser' })

  test('E1: a call takes what the function takes', async () => {
    expectTypeOf(await getUser('5')).toEqualTypeOf<{ id: string; full: boolean | undefined }>()
    // @ts-expect-error an id is text
    getUser(5)
    // @ts-expect-error an id is missing
    getUser()
  })

  test('E2: so does key', () => {
    getUser.key('5', true)
    // @ts-expect-error an id is missing
    getUser.key()
    new Endpoint(async (id: string) => id, { key: (id) => `user ${id.toUpperCase()}` })
    // @ts-expect-error key must take what the function takes
    new Endpoint(async (id: string) => id, { key: (id: number) => `user ${id}` })
  })

  test('E3: extend({ fetch }) changes the arguments', async () => {
    const byNumber = getUser.extend({ fetch: async (nr: number) => nr * 2 })
    expectTypeOf(await byNumber(5)).toEqualTypeOf<number>()
    // @ts-expect-error it is a number now
    byNumber('5')
  })

  test('E4: members that the function reads must be among the options', () => {
    async function load(this: { token: string }, id: string): Promise<string> {
      return id + this.token
    }
    new Endpoint(load, { token: 'abc' })
    // @ts-expect-error token is missing
    new Endpoint(load, {})
    // @ts-expect-error a token is text
    new Endpoint(load, { token: 5 })
  })

  test('E5: other members of this are not known', () => {
    new Endpoint(
      async function (this: { token: string }) {
        // @ts-expect-error there is no such member
        return this.other
      },
      { token: 'abc' },
    )
  })

  test('E6: extend keeps the types of members', () => {
    const withToken = getUser.extend({ token: 'abc' })
    expectTypeOf(withToken.token).toEqualTypeOf<string>()
    withToken.extend({ token: 'def' })
    // @ts-expect-error a token is text
    withToken.extend({ token: 5 })
    // @ts-expect-error a length is a number
    getUser.extend({ dataExpiryLength: '5' })
  })

  test('E7: bind takes the first arguments', async () => {
    const five = getUser.bind(undefined, '5')
    expectTypeOf(await five()).toEqualTypeOf<{ id: string; full: boolean | undefined }>()
    five(true)
    five.key(true)
    // @ts-expect-error the id is given
    five('6')
  })

  test('E8: without a schema the schema is undefined', async () => {
    expectTypeOf(getUser.schema).toEqualTypeOf<undefined>()
    const withSchema = new Endpoint(async (id: string): Promise<unknown> => ({ id }), { name: 'get', schema: User })
    expectTypeOf(withSchema.schema).toEqualTypeOf<typeof User>()
    expectTypeOf(await controller.fetch(withSchema, '5')).toEqualTypeOf<User>()
    expectTypeOf(getUser.extend({ schema: User }).schema).toEqualTypeOf<typeof User>()
  })

  test('sideEffect is undefined unless it is given', () => {
    expectTypeOf(getUser.sideEffect).toEqualTypeOf<undefined>()
    const save = new Endpoint(async (id: string) => id, { name: 'save', sideEffect: true })
    expectTypeOf(save.sideEffect).toEqualTypeOf<true>()
    controller.watch(getUser, '5')
    // @ts-expect-error it changes something
    controller.watch(save, '5')
    controller.fetch(save, '5')
  })

  test('the types of an endpoint', () => {
    expectTypeOf<ResolveType<typeof getUser>>().toEqualTypeOf<{ id: string; full: boolean | undefined }>()
    expectTypeOf<EndpointParam<typeof getUser>>().toEqualTypeOf<string>()
    expectTypeOf<EndpointData<typeof getUser>>().toEqualTypeOf<{ id: string; full: boolean | undefined }>()
    const reads: ReadEndpoint = getUser
    const any: EndpointInterface = reads
    // @ts-expect-error it only reads
    const changes: MutateEndpoint = getUser
    expectTypeOf([any, changes]).toBeArray()
  })

  test('any function with a key is an endpoint', async () => {
    const getTime = Object.assign(async (_zone: string) => 5, { key: (zone: string) => `time ${zone}` })
    expectTypeOf(await controller.fetch(getTime, 'UTC')).toEqualTypeOf<number>()
    // @ts-expect-error a zone is text
    controller.fetch(getTime, 5)
  })
})
