import { Entity, RestEndpoint, type Snapshot } from '@roundtable/core'
import { describe, expect, test } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  done = false
}

/** A snapshot with one todo. */
const snapshot = {
  get: (_schema: unknown, { id }: { id: string }) => (id === '5' ? Object.assign(new Todo(), { id }) : undefined),
  abort: new Error('abort'),
} as unknown as Snapshot

describe('getOptimisticResponse(snapshot, ...args), at definition', () => {
  const toggle = new RestEndpoint({
    path: '/todos/:id/toggle',
    method: 'POST',
    body: undefined,
    schema: Todo,
    getOptimisticResponse(state, { id }) {
      const todo = state.get(Todo, { id })
      if (!todo) throw state.abort
      return { id, done: !todo.done }
    },
  })

  test('it gets the snapshot and the arguments of the call', () => {
    expect(toggle.getOptimisticResponse?.(snapshot, { id: '5' })).toEqual({ id: '5', done: true })
  })

  test('3. it may abort the optimistic update by throwing snapshot.abort', () => {
    expect(() => toggle.getOptimisticResponse?.(snapshot, { id: '6' })).toThrow(snapshot.abort)
  })

  test('it survives extend', () => {
    const next = toggle.extend({ path: '/v2/todos/:id/toggle' })
    expect(next.getOptimisticResponse?.(snapshot, { id: '5' })).toEqual({ id: '5', done: true })
  })
})

describe('update(normalizedResponse, ...args), at definition', () => {
  const getAll = new RestEndpoint({ path: '/todos', schema: [Todo] })
  const create = new RestEndpoint({
    path: '/todos',
    method: 'POST',
    schema: Todo,
    body: {} as { title: string },
    update: (newId, _body) => ({ [getAll.key()]: (ids = []) => [newId, ...ids] }),
  })

  test('it returns an object mapping endpoint keys to functions', () => {
    expect(Object.keys(create.update?.('5', { title: 'Milk' }) ?? {})).toEqual(['GET /todos'])
  })

  test('each function takes the current normalized result and returns the new one (defaulting to an empty list)', () => {
    const updater = create.update?.('5', { title: 'Milk' })[getAll.key()]
    expect(updater?.(['1', '2'])).toEqual(['5', '1', '2'])
    expect(updater?.(undefined)).toEqual(['5'])
  })
})

describe('errorPolicy(error), at definition', () => {
  test("it returns 'soft' or undefined; the error object carries a numeric status", () => {
    const get = new RestEndpoint({
      path: '/todos',
      errorPolicy: (error) => (error.status >= 500 ? 'soft' : undefined),
    })
    expect(get.errorPolicy?.({ status: 503 } as never)).toBe('soft')
    expect(get.errorPolicy?.({ status: 404 } as never)).toBeUndefined()
    expect(get.errorPolicy?.(new TypeError('no status') as never)).toBeUndefined()
  })
})
