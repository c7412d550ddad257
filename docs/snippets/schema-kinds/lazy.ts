import { Controller, Entity, Lazy, RestEndpoint } from '@roundtable/core'

class Card extends Entity {
  static override key = 'Card'
  id = ''
  title = ''
}
class Board extends Entity {
  static override key = 'Board'
  static override schema = { cards: new Lazy([Card]) }
  id = ''
  cards: string[] = []
}

const getBoard = new RestEndpoint({ path: '/boards/:id', schema: Board })

const controller = new Controller()
const cards = [{ id: '7', title: 'Pen' }]
controller.setResponse(getBoard, { id: '1' }, { id: '1', cards })
const board = controller.get(Board, { id: '1' })
console.log(board?.cards) // → [ '7' ]
const shown = controller.get(Board.schema.cards.query, board?.cards ?? [])
console.log(shown?.map(({ title }) => title)) // → [ 'Pen' ]
