import { poll } from '@roundtable/core'
import { expect, test } from 'vitest'
import { openBoard, Todo, watch } from './todo-board.js'

test('a read whose controller is disposed while a caller waits fails, and fetches nothing more', async () => {
  const { controller, getTodo, server, clock } = openBoard()
  const query = controller.watch(getTodo, { id: '1' })
  const loading = query.load()
  controller.dispose()
  await loading
  expect(query.getSnapshot()).toMatchObject({ status: 'failed', error: { name: 'DisposedError' } })
  expect(query.getSnapshot()).toBe(query.getSnapshot())
  await query.load()
  await clock.advance(60_000)
  expect(server.requests).toHaveLength(1)
  expect(clock.pending).toBe(0)
})

test('a disposed controller sends nothing: reads, polls, new subscribers', async () => {
  const { controller, getTodo, server, clock } = openBoard()
  const ticker = getTodo.extend({ pollFrequency: 1_000 })
  controller.dispose()
  watch(controller.watch(ticker, { id: '1' }))
  watch(controller.observe(poll, ticker, { id: '1' }))
  await controller.watch(ticker, { id: '2' }).load()
  await clock.advance(60_000)
  expect(server.requests).toHaveLength(0)
  expect(clock.pending).toBe(0)
})

test('a reader that leaves after dispose starts no timer', async () => {
  const { controller, getTodo, clock } = openBoard()
  const shown = watch(controller.watch(getTodo, { id: '1' }))
  await clock.advance(0)
  controller.dispose()
  shown.stop()
  await clock.advance(0)
  expect(clock.pending).toBe(0)
})

test('stored data is still shown after dispose', () => {
  const { controller, getTodo } = openBoard()
  controller.setResponse(getTodo, { id: '1' }, { id: '1', title: 'kept' })
  const query = controller.watch(getTodo, { id: '1' })
  controller.dispose()
  expect(query.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'kept' } })
})

test('a write after dispose starts no timer', () => {
  const { controller, clock } = openBoard()
  controller.dispose()
  controller.set(Todo, { id: '1' }, { id: '1', title: 'Tea' })
  expect(clock.pending).toBe(0)
})
