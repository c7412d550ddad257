import {
  type Controller,
  type Defaults,
  Entity,
  RestEndpoint,
  type RestGenerics,
  type RestOptions,
} from '@roundtable/core'
import { describe, expectTypeOf, test } from 'vitest'

class User extends Entity {
  static override key = 'User'
  id = ''
}

declare const controller: Controller

describe('subclasses', () => {
  class WithToken<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
    accessToken = ''
    override urlPrefix = 'https://api.test'
    override async getHeaders(headers: Record<string, string>): Promise<HeadersInit> {
      return { ...(await super.getHeaders(headers)), 'Access-Token': this.accessToken }
    }
    override async getRequestInit(body?: unknown): Promise<RequestInit> {
      return { ...(await super.getRequestInit(body)), credentials: 'same-origin' }
    }
  }

  test('a generic subclass infers as RestEndpoint does', () => {
    const get = new WithToken({ path: '/users/:id', schema: User, searchParams: {} as { full?: boolean } })
    get({ id: 5, full: true })
    // @ts-expect-error id is missing
    get({})
    expectTypeOf(get.sideEffect).toEqualTypeOf<undefined>()
    const save = new WithToken({
      path: '/users/:id',
      method: 'PUT',
      body: {} as { name: string },
      getOptimisticResponse(_snapshot, { id }, { name }) {
        return { id, name }
      },
    })
    save({ id: 5 }, { name: 'Ann' })
    // @ts-expect-error name is missing
    save({ id: 5 }, {})
  })

  test('its members survive extend, more than once, and can be extended', () => {
    const get = new WithToken({ path: '/users/:id' })
    const other = get.extend({ accessToken: 'abc' }).extend({ path: '/people/:who' })
    expectTypeOf(other.accessToken).toEqualTypeOf<string>()
    other({ who: 5 })
    // @ts-expect-error a token is text
    get.extend({ accessToken: 5 })
  })

  test('a getter may take the place of a member', () => {
    class Dynamic<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
      override get urlPrefix(): string {
        return 'https://api.test'
      }
    }
    expectTypeOf(new Dynamic({ path: '/users' }).urlPrefix).toEqualTypeOf<string>()
  })

  test('getRequestInit and getHeaders need not be async', () => {
    class Sync<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
      override getRequestInit(): RequestInit {
        return { headers: this.getHeaders() }
      }
      override getHeaders(): Record<string, string> {
        return {}
      }
    }
    new Sync({ path: '/users' })()
  })

  test('every step of the lifecycle can be overridden, calling the parent', () => {
    class Loud<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
      override url(params?: never): string {
        return `${super.url(params)}!`
      }
      override searchToString(params: Record<string, unknown>): string {
        return super.searchToString(params)
      }
      override async fetchResponse(input: string, init: RequestInit): Promise<Response> {
        return super.fetchResponse(input, init)
      }
      override async parseResponse(response: Response): Promise<unknown> {
        return super.parseResponse(response)
      }
      // biome-ignore lint/suspicious/noExplicitAny: arguments of any endpoint of this class.
      override key(...args: any): string {
        return super.key(...args)
      }
      override testKey(key: string): boolean {
        return super.testKey(key)
      }
      // biome-ignore lint/suspicious/noExplicitAny: as above; what is parsed may be anything too.
      override process(value: any, ...args: any): any {
        return super.process(value, ...args)
      }
    }
    new Loud({ path: '/users/:id' })({ id: 5 })
  })

  test('R14: defaults of a class apply where an option is left out', async () => {
    class UserEndpoint<O extends RestGenerics> extends RestEndpoint<Defaults<O, { schema: typeof User }>> {
      constructor(options: Readonly<O> & RestOptions<O, unknown>) {
        super({ schema: User, ...options } as never)
      }
    }
    const get = new UserEndpoint({ path: '/users/:id' })
    expectTypeOf(await controller.fetch(get, { id: 5 })).toEqualTypeOf<User>()
    const getAll = new UserEndpoint({ path: '/users', schema: [User] })
    expectTypeOf(await controller.fetch(getAll)).toEqualTypeOf<readonly User[]>()
  })

  test('a class that is not generic takes any arguments', () => {
    class Loose extends RestEndpoint {}
    new Loose({ path: '/users/:id' })({ id: 5 })
    new Loose({ path: '/users/:id', method: 'PUT' })({ id: 5 }, {})
  })

  test('a class of one endpoint', async () => {
    class GetUser extends RestEndpoint<{ path: '/users/:id'; schema: typeof User }> {}
    const get = new GetUser({ path: '/users/:id', schema: User })
    expectTypeOf(await controller.fetch(get, { id: 5 })).toEqualTypeOf<User>()
    // @ts-expect-error id is missing
    get()
  })
})
