import { type Controller, Endpoint, Entity, RestEndpoint } from '@roundtable/core'
import { expectTypeOf, test } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
}
declare const controller: Controller
const getTodos = new Endpoint(async (_params: { userId: string }, _tab?: number) => 1, { name: 'getTodos' })
const getAll = new Endpoint(async (_params?: { page: number }) => 1, { name: 'getAll' })

function made<Value>(value: Value) {
  return new Endpoint(async (_params: { id: Value }) => ({ value }), { name: 'made' })
}
function madeOf<S extends typeof Todo>(schema: S) {
  return new RestEndpoint({ path: '/todos/:id', schema })
}

test('an endpoint that a generic function makes right in the call is known by its type', () => {
  void (async () => {
    expectTypeOf(await controller.fetch(made('a'), { id: 'b' })).toEqualTypeOf<{ value: string }>()
    expectTypeOf(await controller.fetch(madeOf(Todo), { id: 5 })).toEqualTypeOf<Todo>()
    // @ts-expect-error not the value's type
    await controller.fetch(made('a'), { id: 5 })
    // @ts-expect-error no such param
    await controller.fetch(madeOf(Todo), { id: 5, other: 1 })
    // @ts-expect-error the param is missing
    await controller.fetch(madeOf(Todo))
  })
})

test('what may be left out of a call may be left out before its response or error, too', () => {
  void (() => {
    controller.setResponse(getTodos, { userId: '1' }, 5)
    controller.setResponse(getTodos, { userId: '1' }, 2, 5)
    controller.setResponse(getAll, 5)
    controller.setResponse(getAll, { page: 1 }, 5)
    controller.setError(getTodos, { userId: '1' }, new Error('no'))
    controller.setError(getAll, new Error('no'))
    // @ts-expect-error the params are not optional
    controller.setError(getTodos, new Error('no'))
    // @ts-expect-error not an error
    controller.setError(getAll, { page: 1 }, 'no')
  })
})
