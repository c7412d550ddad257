import { Collection, Controller, Entity, LogoutManager, NetworkError, RestEndpoint, resource } from '@roundtable/core'
import { useDLE, useError, useLoading, useSuspense } from '@roundtable/react'
import { useDLE as useSvelteDLE } from '@roundtable/svelte'
import { useDLE as useVueDLE, useError as useVueError } from '@roundtable/vue'
import { describe, expectTypeOf, test } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}
const TodoResource = resource({ path: '/todos/:id', schema: Todo })

// As their names tell, other files have what is typed by kind; here is what outsiders met.
describe('the error that users meet has a status', () => {
  test('of readers, in all frameworks', () => {
    expectTypeOf(useDLE(TodoResource.get, { id: 5 }).error?.status).toEqualTypeOf<number | undefined>()
    expectTypeOf(useError(TodoResource.get, { id: 5 })?.status).toEqualTypeOf<number | undefined>()
    expectTypeOf(useLoading(async () => 1)[2]?.status).toEqualTypeOf<number | undefined>()
    expectTypeOf(useVueDLE(TodoResource.get, { id: 5 }).error.value?.status).toEqualTypeOf<number | undefined>()
    expectTypeOf(useVueError(TodoResource.get, { id: 5 }).value?.status).toEqualTypeOf<number | undefined>()
    expectTypeOf(useSvelteDLE(TodoResource.get, { id: 5 }).error?.status).toEqualTypeOf<number | undefined>()
  })

  test('of the controller, of events and of a logout', () => {
    const controller = new Controller()
    expectTypeOf(controller.getError(TodoResource.get, { id: 5 })?.status).toEqualTypeOf<number | undefined>()
    controller.on('error', ({ error }) => expectTypeOf(error.status).toEqualTypeOf<number | undefined>())
    controller.on('settle', ({ error }) => expectTypeOf(error?.status).toEqualTypeOf<number | undefined>())
    new LogoutManager({ shouldLogout: (error) => error.status === 401 || error.status === 419 })
    new LogoutManager({ shouldLogout: (error: Error) => error instanceof NetworkError && error.status === 401 })
    controller.setError(TodoResource.get, { id: 5 }, new Error('mine'))
  })
})

test('a path that is not known literally takes an object, and nothing else', () => {
  const get = new RestEndpoint({ path: '/todos' as string })
  get()
  get({ id: 5 })
  // @ts-expect-error
  get(5)
  // @ts-expect-error
  get('5')
  // @ts-expect-error
  get.url(5)
})

test('pages need a Collection', () => {
  const single = new RestEndpoint({ path: '/todos', schema: Todo })
  // @ts-expect-error
  single.paginated('cursor')
  // @ts-expect-error
  new RestEndpoint({ path: '/todos' }).paginated('cursor')
  // @ts-expect-error
  single.paginated(({ cursor, ...params }: { cursor: string }) => [params])
  new RestEndpoint({ path: '/todos', schema: new Collection([Todo]) }).paginated('cursor')
  new RestEndpoint({ path: '/todos', schema: { items: new Collection([Todo]) } }).paginated('cursor')
  const any = single as unknown as RestEndpoint
  any.paginated('cursor')
})

test('fields beside a list have the types of the literal', () => {
  const getPage = new RestEndpoint({
    path: '/todos',
    schema: {
      items: new Collection([Todo]),
      next: '' as string | null,
      total: 0 as number | undefined,
      state: '' as 'open' | 'done',
      maybe: null as null | 'a' | 'b',
    },
  })
  const data = useSuspense(getPage)
  expectTypeOf(data.next).toEqualTypeOf<string | null>()
  expectTypeOf(data.total).toEqualTypeOf<number | undefined>()
  expectTypeOf(data.state).toEqualTypeOf<'open' | 'done'>()
  expectTypeOf(data.maybe).toEqualTypeOf<null | 'a' | 'b'>()
  const controller = new Controller()
  controller.setResponse(getPage, { items: [], next: null, state: 'open', total: 5 })
  // @ts-expect-error not one of them
  controller.setResponse(getPage, { items: [], state: 'other' })
  expectTypeOf(controller.getResponse(getPage).data.next).toEqualTypeOf<string | null>()
  expectTypeOf<Awaited<ReturnType<typeof getPage>>['next']>().toEqualTypeOf<string | null>()
})
