import { Collection, Controller, Endpoint, Entity, transfer } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { HandClock } from './clock.js'

interface Data {
  [field: string]: unknown
}

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title: string | undefined = ''
  tags: string[] = []
}

const open = () => new Controller({ env: new HandClock() })
const reads = (name: string, schema: unknown, more: object = {}) =>
  new Endpoint(async (): Promise<unknown> => [], { name, schema, ...more } as never)

/** Types of responses are not what these tests are about. */
function give(to: Controller, endpoint: unknown, data: unknown): void {
  ;(to.setResponse as (endpoint: unknown, data: unknown) => void).call(to, endpoint, data)
}

describe('a row that one response holds twice', () => {
  test('is joined first: a mutation does not conflict with itself', async () => {
    const controller = open()
    const save = new Endpoint(
      async (): Promise<unknown> => [
        { id: '1', title: 'a' },
        { id: '1', tags: ['new'] },
        { id: '1', title: 'b' },
      ],
      { name: 'save', schema: [Todo], sideEffect: true } as never,
    )
    give(controller, reads('before', [Todo]), [{ id: '1', title: 'old', tags: ['old'] }])
    const getTodos = new Endpoint(async (): Promise<unknown> => [], { name: 'todos', schema: [Todo] })
    const todos = controller.watch(getTodos)
    const stop = todos.subscribe(() => {})
    await (controller.fetch as (endpoint: unknown) => Promise<unknown>)(save)
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'b', tags: ['new'] })
    stop()
  })

  test.each([
    ['of a new row', false],
    ['of a known row', true],
  ])('goes through a merge of its class as copies, %s', (_, isKnown) => {
    const seen: object[] = []
    const made: Data[] = []
    class Merged extends Todo {
      static override key = 'Merged'
      static override merge(existing: Readonly<Data>, incoming: Readonly<Data>): Data {
        seen.push(existing)
        const merged: Data = { ...existing, ...incoming, tags: ['merged'] }
        made.push(merged)
        return merged
      }
    }
    const controller = open()
    if (isKnown) controller.set(Merged, { id: '1' }, { id: '1', title: 'old' })
    const response = [
      { id: '1', title: 'a' },
      { id: '1', title: 'b' },
    ]
    give(controller, reads('merged', [Merged]), response)
    for (const item of response) expect(seen).not.toContain(item)
    for (const merged of made) (merged.tags as string[]).push('late')
    expect(controller.get(Merged, { id: '1' })).toMatchObject({ title: 'b', tags: ['merged'] })
  })

  test.each([
    ['as a key', [{ id: '1' }, '2', '1', '2']],
    ['as a value', [{ id: '1' }, { id: '2' }, { id: '1' }, { id: '2' }]],
  ])('%s is listed once in a Collection', (_, response) => {
    const controller = open()
    const list = new Collection([Todo])
    controller.set(Todo, { id: '2' }, { id: '2' })
    give(controller, reads('list', list), response)
    expect(controller.get(list)?.map(({ id }) => id)).toEqual(['1', '2'])
  })
})

test.each([
  ['new rows', [], (data: unknown) => data],
  ['known rows', [{ id: '1', title: 'old', tags: ['old'] }], (data: unknown) => data],
  ['known rows that stay', [{ id: '1', title: 'a', tags: ['a'] }], (data: unknown) => data],
])('changes that `update` makes to the response do not reach the table: %s', (_, before) => {
  const controller = open()
  const response = [{ id: '1', title: 'a', tags: ['a'] }]
  const update = (): object => {
    for (const item of response) {
      item.title = 'late'
      item.tags.push('late')
    }
    return {}
  }
  give(controller, reads('before', [Todo]), before)
  give(controller, reads('todos', [Todo], { update }), response)
  expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'a', tags: ['a'] })
})

test('a deserializer is tried on new values, and refuses a response that it cannot read', () => {
  const read = vi.fn((text: string) => text.toUpperCase())
  class Named extends Todo {
    static override key = 'Named'
    static override schema = { title: read }
  }
  const controller = open()
  give(controller, reads('named', [Named]), [{ id: '1', title: 'a' }])
  expect(read).toHaveBeenCalledTimes(1)
  give(controller, reads('named', [Named]), [{ id: '1', title: 'a' }])
  expect(read).toHaveBeenCalledTimes(1)
  expect(() => give(controller, reads('named', [Named]), [{ id: '1', title: 5 }])).toThrow('$[0].title')
  expect(controller.get(Named, { id: '1' })?.title).toBe('A')
})

test('a member that is undefined is left out of an object, but not of an entity', () => {
  const controller = open()
  const page = reads('page', { first: Todo, more: 0 })
  give(controller, page, { first: undefined, more: undefined })
  const shown = (controller.getResponse as (endpoint: unknown) => { data: object }).call(controller, page).data
  expect(Object.hasOwn(shown, 'first')).toBe(false)
  controller.set(Todo, { id: '1' }, { id: '1', title: 'a' })
  give(controller, page, { first: { id: '1', title: undefined } })
  expect(controller.get(Todo, { id: '1' })?.title).toBeUndefined()
})

test.each([
  ['a record without relations', Todo],
  [
    'a record with relations',
    class extends Todo {
      static override key = 'Linked'
      static override schema = { next: Todo }
    },
  ],
])('a transferred response is not written into: %s', (_, entity) => {
  const controller = open()
  const response = [{ id: '1', title: 'a', next: { id: '2' } }]
  const before = structuredClone(response)
  give(controller, reads('list', [entity]), transfer(response))
  expect(response).toEqual(before)
})
