import { useController, useDLE, useLoading } from '@roundtable/react'
import { CardResource, positionAt } from './api.js'

export function Column({ name }: { name: string }) {
  const { data: cards = [] } = useDLE(CardResource.getList, {
    column: name,
  })
  const controller = useController()
  const [drop] = useLoading((id: number, index: number) => {
    const position = positionAt(cards, index, id)
    return controller.fetch(
      CardResource.partialUpdate,
      { id },
      { column: name, position },
    )
  })
  return (
    <ol aria-label={name}>
      {[...cards, undefined].map((card, index) => (
        <li
          key={card?.id ?? 'end'}
          draggable={card !== undefined}
          onDragStart={(event) =>
            event.dataTransfer.setData('text/plain', String(card?.id))
          }
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault()
            void drop(
              Number(event.dataTransfer.getData('text/plain')),
              index,
            )
          }}
        >
          {card?.title ?? '…'}
        </li>
      ))}
    </ol>
  )
}
