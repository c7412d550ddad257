import { All, Controller, Endpoint, Entity, Invalidate } from '@roundtable/core'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { HandClock } from '../engine/clock.js'
import { watch } from '../engine/todo-board.js'

class Todo extends Entity {
  static override key = 'LimitedTodo'
  id = ''
  rank = 0
}

const getTodos = new Endpoint(async () => [], { name: 'getTodos', schema: [Todo] })
const deleteTodo = new Endpoint(async (_: { id: string }) => null, { name: 'deleteTodo', schema: new Invalidate(Todo) })
const byRank = (a: Todo, b: Todo): number => a.rank - b.rank

function open(ranks: readonly number[]): Controller {
  const controller = new Controller({ env: new HandClock() })
  const todos = ranks.map((rank, at) => ({ id: `${at}`, rank }))
  controller.setResponse(getTodos, todos)
  return controller
}

test('a selection with a limit and no order never shows a row that was deleted past the limit', () => {
  const controller = open([1, 2, 3, 4])
  const first = watch(controller.view(new All(Todo, { limit: 2 })))
  controller.setResponse(deleteTodo, { id: '2' }, null)
  controller.setResponse(deleteTodo, { id: '0' }, null)
  expect(first.now).toEqual([
    { id: '1', rank: 2 },
    { id: '3', rank: 4 },
  ])
})

describe('a sorted selection with a limit', () => {
  test('compares each of many rows about once to find the first of them', () => {
    const compare = vi.fn(byRank)
    watch(
      open(Array.from({ length: 10_000 }, (_, at) => (at * 7919) % 10_007)).view(new All(Todo, { compare, limit: 20 })),
    )
    // A sort compares each about 13 times.
    expect(compare.mock.calls.length).toBeLessThan(20_000)
  })

  test('shows the next when the first leave, one after another, until none is left', () => {
    const controller = open(Array.from({ length: 60 }, (_, at) => (at * 7) % 61))
    const first = watch(controller.view(new All(Todo, { compare: byRank, limit: 3 })))
    const all = watch(controller.view(new All(Todo, { compare: byRank })))
    while (all.now !== undefined && all.now.length > 0) {
      expect(first.now).toEqual(all.now.slice(0, 3))
      controller.setResponse(deleteTodo, { id: all.now[0]?.id ?? '' }, null)
    }
    expect(first.now).toEqual([])
  })

  test('shows what a sort and a slice show, whatever moves', () => {
    const move = fc.record({ at: fc.nat(39), rank: fc.nat(50), isDeleted: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(fc.nat(50), { minLength: 40, maxLength: 40 }),
        fc.array(move),
        fc.nat(4),
        (ranks, moves, limit) => {
          const controller = open(ranks)
          const first = watch(controller.view(new All(Todo, { compare: byRank, limit })))
          const all = watch(controller.view(new All(Todo)))
          for (const { at, rank, isDeleted } of moves) {
            if (isDeleted) controller.setResponse(deleteTodo, { id: `${at}` }, null)
            else controller.set(Todo, { id: `${at}` }, { id: `${at}`, rank })
            expect(first.now).toEqual([...(all.now ?? [])].sort(byRank).slice(0, limit))
          }
        },
      ),
    )
  })
})
