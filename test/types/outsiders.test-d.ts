import {
  Collection,
  type Controller,
  Endpoint,
  Entity,
  Query,
  RestEndpoint,
  type RestGenerics,
  resource,
  type Snapshot,
  Union,
  Values,
} from '@roundtable/core'
import { describe, expectTypeOf, test } from 'vitest'

class User extends Entity {
  static override key = 'User'
  id = 0
  name = ''
  born = new Date()
  static override schema = { born: Date }
  get initials() {
    return this.name.slice(0, 2)
  }
}
class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
  owner?: User
  static override schema = { owner: User }
}
const Todos = resource({ path: '/todos/:id', schema: Todo })
declare const controller: Controller
declare const path: string
// biome-ignore lint/suspicious/noExplicitAny: as users write it.
type Any = any

describe('overrides in a generic subclass', () => {
  test('process(value) may leave the arguments out, and says what a call resolves with', async () => {
    class Download<O extends RestGenerics = Any> extends RestEndpoint<O> {
      override process(value: Any): { blob: Blob; filename: string } {
        return value
      }
    }
    const download = new Download({ path: '/files/:id' })
    expectTypeOf(await download({ id: 5 })).toEqualTypeOf<{ blob: Blob; filename: string }>()
    // @ts-expect-error the param is missing
    download({})
    class Later<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
      override async process(value: string) {
        return { text: await super.process(value, ...([] as Any)) }
      }
    }
    await new Later({ path: '/files' })()
  })

  test('so may key(params), fetch(params), requestKey, getOptimisticResponse and update', () => {
    class Own<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
      override key(params: Any): string {
        return `own ${super.key(params)}`
      }
      override async fetch(params: Any): Promise<Any> {
        return super.fetch(...([params] as Any))
      }
      override requestKey(params: Any): string {
        return `${params}`
      }
      override getOptimisticResponse(_snapshot: Snapshot, params: Any, body: Any): unknown {
        return { ...params, ...body }
      }
      override update(id: string, _params: Any) {
        return { list: (ids: string[] = []) => [...ids, id] }
      }
    }
    const get = new Own({ path: '/todos/:id', schema: Todo })
    get({ id: 5 })
    controller.fetch(get, { id: 5 })
    controller.watch(get, { id: 5 })
  })

  test('what is called is checked all the same', () => {
    Todos.get.key({ id: 5 })
    // @ts-expect-error no such param
    Todos.get.key({ id: 5, other: 1 })
    // @ts-expect-error the param is missing
    Todos.get.key()
    // @ts-expect-error the param is missing
    Todos.get.fetch()
    // @ts-expect-error no such param
    Todos.get.process({}, { idd: 5 })
  })
})

test('key(urlParams) of an endpoint with a body, where the path has required params', () => {
  Todos.update.key({ id: 5 })
  Todos.update.key({ id: 5 }, { title: 'Milk' })
  // @ts-expect-error that is the body, not the params
  Todos.update.key({ title: 'Milk' })
  // @ts-expect-error a call needs both
  Todos.update({ id: 5 })
  new RestEndpoint({ path: '/todos{/:id}', method: 'POST', body: {} as { title: string } }).key({ title: 'Milk' })
  // @ts-expect-error with optional params a single argument is the body
  new RestEndpoint({ path: '/todos{/:id}', method: 'POST', body: {} as { title: string } }).key({ id: 5 })
})

test('a path that is not literal leaves room for its params beside search params', () => {
  const get = new RestEndpoint({ path, searchParams: {} as { q?: string } })
  get({ id: '5' })
  get({ id: '5', q: 'a' })
  get()
  // @ts-expect-error q is text
  get({ id: '5', q: 5 })
  interface Found {
    id: string
  }
  get({ id: '5' } as Found)
  const needed = new RestEndpoint({ path, searchParams: {} as { q: string } })
  // @ts-expect-error q is missing
  needed({ id: '5' })
})

test('what a mutation resolves with: null without a body, a deletion with what there was', async () => {
  expectTypeOf(await controller.fetch(Todos.delete, { id: 5 })).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(await controller.fetch(Todos.create, { title: 'Milk' })).toEqualTypeOf<Todo | null>()
  expectTypeOf(await controller.fetch(Todos.update, { id: 5 }, {})).toEqualTypeOf<Todo | null>()
  expectTypeOf(await controller.fetch(Todos.partialUpdate, { id: 5 }, {})).toEqualTypeOf<Todo | null>()
  expectTypeOf(await controller.fetch(Todos.get, { id: 5 })).toEqualTypeOf<Todo>()
  const search = new RestEndpoint({ path: '/s', method: 'POST', sideEffect: false, schema: [Todo] })
  expectTypeOf(await controller.fetch(search)).toEqualTypeOf<readonly Todo[]>()
})

describe('a direct call', () => {
  test('of a Query gives what the answer holds, not what the Query makes of it', async () => {
    class Tag extends Entity {
      static override key = 'Tag'
      id = ''
    }
    const count = new Query(new Collection([Tag]), (tags) => tags.length)
    expectTypeOf(await new RestEndpoint({ path: '/tags', schema: count })()).toEqualTypeOf<{ id: string }[]>()
    const more = new Query(count, (found) => found + 1)
    expectTypeOf(await new RestEndpoint({ path: '/tags', schema: more })()).toEqualTypeOf<{ id: string }[]>()
  })

  test('resolves with the plain answer', async () => {
    const user = await new RestEndpoint({ path: '/users/:id', schema: User })({ id: 5 })
    expectTypeOf(user.name).toEqualTypeOf<string>()
    expectTypeOf(user.born).toEqualTypeOf<string>()
    // @ts-expect-error no method
    user.pk()
    const todo = await Todos.get({ id: 5 })
    expectTypeOf(todo.title).toEqualTypeOf<string>()
    expectTypeOf(todo.owner?.born).toEqualTypeOf<string | undefined>()
    expectTypeOf((await Todos.getList())[0]?.title).toEqualTypeOf<string | undefined>()
    const page = new RestEndpoint({ path: '/p', schema: { items: [Todo], next: '' } })
    expectTypeOf((await page()).next).toEqualTypeOf<string>()
    expectTypeOf((await page()).items[0]?.title).toEqualTypeOf<string | undefined>()
    const byName = new RestEndpoint({ path: '/p', schema: new Collection(new Values(Todo)) })
    expectTypeOf((await byName()).first?.title).toEqualTypeOf<string | undefined>()
    const feed = new RestEndpoint({
      path: '/p',
      schema: [new Union({ user: User, todo: Todo }, (input: Any) => input.kind)],
    })
    expectTypeOf((await feed())[0]).not.toBeAny()
  })

  test('of a mutation may resolve with null; of a deletion with anything', async () => {
    expectTypeOf((await Todos.update({ id: 5 }, {}))?.title).toEqualTypeOf<string | undefined>()
    // @ts-expect-error it may be null
    ;(await Todos.create({ title: 'Milk' })).title
    expectTypeOf(await Todos.delete({ id: 5 })).toBeAny()
  })

  test('follows extend', async () => {
    const raw = Todos.get.extend({ schema: undefined })
    expectTypeOf(await raw({ id: 5 })).toBeAny()
    const users = Todos.get.extend({ schema: User })
    expectTypeOf((await users({ id: 5 })).name).toEqualTypeOf<string>()
    expectTypeOf((await Todos.get.extend({ dataExpiryLength: 5 })({ id: 5 })).title).toEqualTypeOf<string>()
    const own = Todos.get.extend({ process: () => 5 }).extend({ schema: User })
    expectTypeOf(await own({ id: 5 })).toEqualTypeOf<number>()
  })
})

describe('options', () => {
  test('that are known ones misspelt are errors', () => {
    // @ts-expect-error
    Todos.get.extend({ pollFrequencyy: 5 })
    // @ts-expect-error
    Todos.get.extend({ polFrequency: 5 })
    // @ts-expect-error
    Todos.get.extend({ dataexpirylength: 5 })
    // @ts-expect-error
    Todos.get.extend({ serachParams: {} })
    // @ts-expect-error
    new RestEndpoint({ path: '/todos', pollFrequencyy: 5 })
    // @ts-expect-error
    new RestEndpoint({ path: '/todos', shema: Todo })
    // @ts-expect-error
    Todos.extend('get', { invalidIfStal: true })
    // @ts-expect-error
    resource({ path: '/todos/:id', schema: Todo, collection: Collection })
    // @ts-expect-error
    new Endpoint(async () => 1, { name: 'one' }).extend({ dataExpiryLenght: 5 })
    // @ts-expect-error
    new Endpoint(async () => 1, { name: 'one', pollFrequencyy: 5 })
  })

  test('of another name are members, that can be read', () => {
    const withToken = Todos.get.extend({ accessToken: 'abc' })
    expectTypeOf(withToken.accessToken).toEqualTypeOf<string>()
    const both = withToken.extend({ dataExpiryLength: 5 }).extend({ tenant: 5 })
    expectTypeOf(both.accessToken).toEqualTypeOf<string>()
    expectTypeOf(both.tenant).toEqualTypeOf<number>()
    both({ id: 5 })
    // @ts-expect-error a token is text
    both.extend({ accessToken: 5 })
    // @ts-expect-error nobody added that
    both.other
    class Api<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
      pollFrequencies = [5]
    }
    new Api({ path: '/todos' }).extend({ pollFrequencies: [6] })
  })
})

test('a wrong value in setResponse is an error', () => {
  controller.setResponse(Todos.get, { id: 5 }, { id: 5, title: 'Milk' })
  controller.setResponse(Todos.get, { id: 5 }, { title: 'Milk', owner: { id: 7, born: '2020-01-01' } })
  controller.setResponse(Todos.getList, [{ id: 5 }, null])
  controller.setResponse(Todos.getList, {}, [{ id: 5 }])
  const page = new RestEndpoint({ path: '/p', schema: { items: new Collection([Todo]), next: '' } })
  controller.setResponse(page, { items: [{ id: 5 }], next: 'a', total: 5 })
  const time = new Endpoint(async () => 5, { name: 'time' })
  controller.setResponse(time, 6)
  controller.setResponse(new RestEndpoint({ path: '/any' }), { whatever: 1 })
  // @ts-expect-error
  controller.setResponse(Todos.get, { id: 5 }, 5)
  // @ts-expect-error
  controller.setResponse(Todos.get, { id: 5 }, 'Milk')
  // @ts-expect-error
  controller.setResponse(Todos.get, { id: 5 }, null)
  // @ts-expect-error
  controller.setResponse(Todos.get, { id: 5 }, { title: 5 })
  // @ts-expect-error
  controller.setResponse(Todos.get, { id: 5 }, [{ id: 5 }])
  // @ts-expect-error
  controller.setResponse(Todos.getList, {}, { id: 5 })
  // @ts-expect-error
  controller.setResponse(Todos.getList, {}, [{ title: 5 }])
  // @ts-expect-error
  controller.setResponse(page, { items: {} })
  // @ts-expect-error
  controller.setResponse(time, 'late')
})

test('this in the function of an Endpoint is the endpoint', () => {
  new Endpoint(
    async function (id: string) {
      expectTypeOf(this.key).toBeFunction()
      expectTypeOf(this.name).toEqualTypeOf<string>()
      expectTypeOf(this.testKey('a')).toEqualTypeOf<boolean>()
      // @ts-expect-error nobody added that
      return this.other ?? id
    },
    { name: 'getUser' },
  )
  const get = new Endpoint(async function () {
    return this.key()
  })
  expectTypeOf(get()).resolves.toEqualTypeOf<string>()
  new Endpoint(async (id: string) => id, { name: 'arrow' })('5')
})
