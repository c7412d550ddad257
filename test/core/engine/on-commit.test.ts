import { describe, expect, test, vi } from 'vitest'
import type { Registry } from '../../../core/src/client/registry.js'
import { type Committed, onCommit } from '../../../core/src/engine/on-commit.js'
import type { Row } from '../../../core/src/table/row.js'
import { isThere } from '../../../core/src/table/value.js'
import { settle } from './clock.js'
import { openBoard, Todo } from './todo-board.js'

/** A board, and what a listener hears of its commits. */
function openHeard() {
  const board = openBoard()
  const { store } = (board.controller['~host'] as Registry).runtime
  const heard: Committed[] = []
  const stop = onCommit(store, (commit) => heard.push(commit))
  return { ...board, store, heard, stop }
}

const titleOf = (value: unknown): unknown => (isThere(value) ? (value as Todo).title : undefined)
const todosIn = (rows: Iterable<Row>): string[] =>
  [...rows].filter(({ home }) => home.key === Todo.key).map(({ pk, value }) => `${pk} ${titleOf(value)}`)

describe('onCommit(store, listener)', () => {
  test('tells once for each commit what it wrote, and what showed before and after', async () => {
    const { controller, heard } = openHeard()
    controller.set(Todo, { id: '1' }, { title: 'Milk' })
    controller.set(Todo, { id: '1' }, { title: 'Tea' })
    expect(heard.map(({ written }) => todosIn(written))).toEqual([['1 Tea'], ['1 Tea']])
    const shown = heard.map(({ changed }) => [...changed.values()].map((one) => [one.before, one.after].map(titleOf)))
    expect(shown).toEqual([[[undefined, 'Milk']], [['Milk', 'Tea']]])
    expect(heard.map(({ causes }) => causes.size)).toEqual([1, 1])
  })

  test('several commits of a batch are told once', () => {
    const { controller, heard } = openHeard()
    controller.notifyOnce(() => {
      controller.set(Todo, { id: '1' }, { title: 'Milk' })
      controller.set(Todo, { id: '2' }, { title: 'Tea' })
      controller.set(Todo, { id: '1' }, { title: 'Beer' })
    })
    expect(heard.map(({ written }) => todosIn(written))).toEqual([['1 Beer', '2 Tea']])
    expect(heard[0]?.causes.size).toBe(3)
  })

  test('what a layer writes shows, and is not written; what is written below it is, though nobody sees it', async () => {
    const { controller, heard, patchNow, server } = openHeard()
    controller.set(Todo, { id: '1' }, { title: 'Milk' })
    const done = controller.fetch(patchNow, { id: '1' }, { title: 'Tea' })
    controller.set(Todo, { id: '1' }, { title: 'Beer' })
    await server.one('patch').answer({ id: '1', title: 'Tea' })
    await done
    const told = heard.map(({ written, changed }) => [todosIn(written).length, todosIn(changed.keys()).length])
    expect(told).toEqual([
      [1, 1],
      [0, 1],
      [1, 0],
      [1, 0],
    ])
  })

  test('is told after the readers; what one of them commits comes next', async () => {
    const { controller, heard } = openHeard()
    controller.set(Todo, { id: '1' }, { title: 'Milk' })
    const order: unknown[] = []
    const reader = controller.view(Todo, { id: '1' })
    reader.subscribe(() => {
      order.push('reader', heard.length)
      if (heard.length === 1) controller.set(Todo, { id: '2' }, { title: 'Tea' })
    })
    await settle()
    controller.set(Todo, { id: '1' }, { title: 'Beer' })
    expect(order).toEqual(['reader', 1])
    expect(heard.slice(1).map(({ written }) => todosIn(written))).toEqual([['1 Beer'], ['2 Tea']])
    expect(heard.map(({ notified }) => notified.length)).toEqual([0, 1, 0])
  })

  test('one that throws is reported, and the others go on', () => {
    const { controller, store, heard, reported } = openHeard()
    onCommit(store, () => {
      throw new Error('no')
    })
    const last = vi.fn()
    onCommit(store, last)
    controller.set(Todo, { id: '1' }, { title: 'Milk' })
    expect(reported).toMatchObject([{ name: 'CallbackError', callback: 'onCommit' }])
    expect([heard.length, last.mock.calls.length]).toEqual([1, 1])
  })

  test('nothing is collected once nobody listens, and one that listens again hears of what comes then', () => {
    const { controller, store, heard, stop } = openHeard()
    stop()
    stop()
    expect(store.record).toBeUndefined()
    controller.set(Todo, { id: '1' }, { title: 'Milk' })
    const again: Committed[] = []
    onCommit(store, (commit) => again.push(commit))
    controller.set(Todo, { id: '2' }, { title: 'Tea' })
    expect([heard.length, again.map(({ written }) => todosIn(written))]).toEqual([0, [['2 Tea']]])
  })

  test('rows of before a reset are not told of after it', () => {
    const { controller, heard } = openHeard()
    controller.notifyOnce(() => {
      controller.set(Todo, { id: '1' }, { title: 'Milk' })
      controller.resetEntireStore()
      controller.set(Todo, { id: '2' }, { title: 'Tea' })
    })
    expect(heard.flatMap(({ written }) => todosIn(written))).toEqual(['2 Tea'])
  })
})
