import { Collection, Controller, Entity, poll, resource, type Transport } from '@roundtable/core'
import { type LiveOptions, live } from '@roundtable/core/live'
import { HandClock, settle } from '@roundtable/core/testing'
import { expect, test } from 'vitest'
import { REMEMBERED } from '../../../core/src/live/stretch.js'
import { HandWire } from './hand-wire.js'

class Card extends Entity {
  static override key = 'Card'
  id = 0
  list = ''
}

const TODO = [{ id: 3, list: 'todo' }]
const DONE = [{ id: 3, list: 'done' }]

/** Lists of cards with one source, whose requests are answered by hand. */
function openCards(options: Partial<LiveOptions> = {}) {
  const clock = new HandClock()
  const hand = new HandWire()
  const requests: { readonly list: string; answer(rows: readonly object[], eventId: string): Promise<void> }[] = []
  const transport: Transport = (input) =>
    new Promise((resolve) => {
      const list = new URL(String(input)).searchParams.get('list') ?? ''
      const answer = (rows: readonly object[], eventId: string): Promise<void> => {
        resolve(Response.json(rows, { headers: { 'x-event-id': eventId } }))
        return settle()
      }
      requests.push({ list, answer })
    })
  const controller = new Controller({ env: clock, transport })
  const { getList } = resource({
    urlPrefix: 'https://api.test',
    path: '/cards/:id',
    schema: Card,
    searchParams: {} as { list: string },
    Collection,
    paginationField: 'page',
  })
  const messages = { moved: getList.schema.move }
  const source = live({ name: 'cards', url: 'https://api.test/events', wire: hand.wire, messages, ...options })
  const getLive = getList.extend(source)
  return {
    clock,
    hand,
    controller,
    getLive,
    /** The lists that were requested. */
    asked: () => requests.map(({ list }) => list),
    answer: (at: number, rows: readonly object[], eventId: string) => requests[at]?.answer(rows, eventId),
    read(list: string) {
      controller.watch(getLive, { list }).subscribe(() => {})
      controller.observe(poll, getLive, { list }).subscribe(() => {})
    },
    shown: (list: string) => controller.peek(getLive, { list }).getSnapshot(),
  }
}

/** Two lists are requested together. The server handles `done` first, then the card moves, and it handles `todo`. */
async function cross(board: ReturnType<typeof openCards>) {
  board.read('todo')
  board.read('done')
  await settle()
  await board.answer(1, DONE, '0')
  await board.answer(0, TODO, '1')
  await board.clock.advance(0)
}

test('a list whose rows a later request has won with a response of another event is requested again, and the other is not', async () => {
  const board = openCards()
  await cross(board)
  const { context } = board.hand.last
  expect(context.lastEventId).toBe('0')
  await board.hand.last.send({ type: 'opened', id: '0' })
  expect(board.asked()).toEqual(['todo', 'done', 'todo'])
  await board.hand.last.send({ type: 'moved', id: '1', data: TODO[0] })
  await board.answer(2, TODO, '1')
  await board.clock.advance(1_000)
  expect([board.shown('todo'), board.shown('done')]).toMatchObject([TODO, []])
  expect(board.asked()).toHaveLength(3)
  board.controller.dispose()
})

test('a list that the stream continues is requested again if such a response comes after the stream has opened', async () => {
  const board = openCards()
  board.read('todo')
  board.read('done')
  await settle()
  await board.answer(0, TODO, '1')
  await board.clock.advance(1_000)
  await board.hand.last.send({ type: 'opened', id: '1' })
  expect(board.asked()).toEqual(['todo', 'done'])
  await board.answer(1, DONE, '0')
  expect(board.asked().sort()).toEqual(['done', 'done', 'todo', 'todo'])
  board.controller.dispose()
})

test('responses of the same event are not requested again', async () => {
  const board = openCards()
  board.read('todo')
  board.read('done')
  await settle()
  await board.answer(1, [], '1')
  await board.answer(0, TODO, '1')
  await board.clock.advance(0)
  await board.hand.last.send({ type: 'opened', id: '1' })
  expect(board.asked()).toEqual(['todo', 'done'])
  board.controller.dispose()
})

test('a list is not requested again for the response of a request that began after it had come', async () => {
  const board = openCards()
  board.read('todo')
  await settle()
  await board.answer(0, TODO, '0')
  const later = board.controller.fetch(board.getLive, { list: 'done' })
  await settle()
  await board.answer(1, [], '1')
  await later
  await board.clock.advance(0)
  expect(board.hand.last.context.lastEventId).toBe('0')
  await board.hand.last.send({ type: 'opened', id: '0' })
  expect(board.asked()).toEqual(['todo', 'done'])
  board.controller.dispose()
})

test('nothing is requested again for responses whose requests began while the stream was open: messages repair them', async () => {
  const board = openCards()
  board.read('other')
  await settle()
  await board.answer(0, [], '0')
  await board.clock.advance(0)
  await board.hand.last.send({ type: 'opened', id: '0' })
  // The stream no longer knows the first one.
  await board.hand.last.send(...Array.from({ length: REMEMBERED }, (_, index) => ({ id: `${index + 1}` })))
  board.read('todo')
  board.read('done')
  await settle()
  await board.answer(2, DONE, '1000')
  await board.answer(1, TODO, '1001')
  await board.hand.last.send({ type: 'moved', id: '1001', data: TODO[0] })
  await board.clock.advance(1_000)
  expect(board.asked()).toEqual(['other', 'todo', 'done'])
  expect([board.shown('todo'), board.shown('done')]).toMatchObject([TODO, []])
  board.controller.dispose()
})

test('a list whose pages are of different events is requested again, though nothing has happened since the last page', async () => {
  const board = openCards()
  board.read('todo')
  await settle()
  await board.answer(0, [{ id: 1, list: 'todo' }], '0')
  const page = board.controller.fetch(board.getLive.getPage, { list: 'todo', page: 2 })
  await settle()
  await board.answer(1, TODO, '1')
  await page
  await board.clock.advance(0)
  expect(board.hand.last.context.lastEventId).toBeUndefined()
  await board.hand.last.send({ type: 'opened', id: '1' })
  expect(board.asked()).toEqual(['todo', 'todo', 'todo'])
  await board.answer(2, [{ id: 1, list: 'todo' }], '1')
  await board.answer(3, TODO, '1')
  await board.clock.advance(1_000)
  expect(board.asked()).toHaveLength(4)
  board.controller.dispose()
})

test('the events of different streams are not compared', async () => {
  const board = openCards({ url: ({ list }) => `https://api.test/events/${list}` })
  await cross(board)
  const begun = board.hand.streams.map(({ context }) => [context.url, context.lastEventId])
  expect(begun).toEqual([
    ['https://api.test/events/done', '0'],
    ['https://api.test/events/todo', '1'],
  ])
  board.controller.dispose()
})

test('a request whose arguments name no stream is sent as any other', async () => {
  const board = openCards({
    url: () => {
      throw new Error('no stream')
    },
  })
  const fetched = board.controller.fetch(board.getLive, { list: 'todo' })
  await settle()
  await board.answer(0, TODO, '1')
  expect(await fetched).toMatchObject(TODO)
  board.controller.dispose()
})
