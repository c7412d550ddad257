import { Collection, Entity, resource } from '@roundtable/core'

export class Card extends Entity {
  static override key = 'Card'
  id = 0
  column = ''
  title = ''
  position = 0
}

export const CardResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/cards/:id',
  schema: Card,
  optimistic: true,
}).extend('getList', {
  searchParams: {} as { column: string },
  schema: new Collection([Card], {
    belongs: (card, { column }) => card.column === column,
    compare: (a, b) => (a.position ?? 0) - (b.position ?? 0),
  }),
})

/** The position of a card that is dropped on the one at `index`, or at the end. */
export function positionAt(
  cards: readonly Card[],
  index: number,
  id?: number,
): number {
  const before = cards
    .slice(0, index)
    .findLast((card) => card.id !== id)?.position
  const after = cards.slice(index).find((card) => card.id !== id)?.position
  if (before === undefined) return (after ?? 1) - 1
  return after === undefined ? before + 1 : (before + after) / 2
}
