import { Collection, Entity, Invalidate } from '@roundtable/core'
import { expect, test } from 'vitest'
import { open } from './open.js'

class Owner extends Entity {
  static override key = 'Owner'
  id = ''
}
class Board extends Entity {
  static override key = 'Board'
  id = ''
  cards: readonly Card[] = []
}
class Card extends Entity {
  static override key = 'Card'
  static override schema = { board: Board, owner: Owner }
  id = ''
  title = ''
  board: Board | undefined = undefined
  // An empty card has an owner already, so a card cannot be without.
  owner: Owner = Owner.fromJS({})
}
Board.schema = { cards: new Collection([Card]) }

const card = (id: string) => ({ id, title: id, owner: { id: `of ${id}` }, board: 'b' })
const board = { id: 'b', cards: [card('1'), card('2')] }

test('a list in a ring of rows leaves out a member whose required relation is deleted, and shows it again with that', async () => {
  const { load, run } = open()
  const shown = await load('board', Board, board)
  const ids = () => shown.now.data?.cards.map(({ id }) => id)
  expect(ids()).toEqual(['1', '2'])
  await run('delete', new Invalidate(Owner), { id: 'of 1' })
  expect(ids()).toEqual(['2'])
  expect(shown.now.data?.cards[0]?.board).toBe(shown.now.data)
  await run('owner', Owner, { id: 'of 1' })
  expect(ids()).toEqual(['1', '2'])
  await run('delete', new Invalidate(Owner), { id: 'of 2' })
  expect(ids()).toEqual(['1'])
})

test('every member of a list in a ring belongs to its current views, whichever of them changed', async () => {
  const { load, controller } = open()
  const shown = await load('board', Board, board)
  controller.set(Card, { id: '2' }, { title: 'other' })
  expect(shown.now.data?.cards.map(({ title }) => title)).toEqual(['1', 'other'])
  for (const each of shown.now.data?.cards ?? []) {
    expect(each.board).toBe(shown.now.data)
    expect(controller.get(Card, { id: each.id })).toBe(each)
  }
})
