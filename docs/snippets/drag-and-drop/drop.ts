import { Controller } from '@roundtable/core'
import { CardResource, positionAt } from './api.js'

// The server of this example.
const transport = async (_: unknown, { body }: RequestInit) =>
  Response.json({ id: 1, ...JSON.parse(String(body)) })

const controller = new Controller({ transport })
controller.setResponse(CardResource.getList, { column: 'todo' }, [
  { id: 1, column: 'todo', title: 'Paint', position: 1 },
  { id: 2, column: 'todo', title: 'Sweep', position: 2 },
])
controller.setResponse(CardResource.getList, { column: 'done' }, [
  { id: 3, column: 'done', title: 'Plan', position: 1 },
  { id: 4, column: 'done', title: 'Shop', position: 2 },
])
const cards = (column: string) =>
  controller.getResponse(CardResource.getList, { column }).data ?? []
const titles = (column: string) =>
  cards(column)
    .map((card) => card.title)
    .join()

const moved = controller.fetch(
  CardResource.partialUpdate,
  { id: 1 },
  { column: 'done', position: positionAt(cards('done'), 1) },
)
console.log(titles('todo'), '|', titles('done')) // → Sweep | Plan,Paint,Shop
await moved
console.log(titles('todo'), '|', titles('done')) // → Sweep | Plan,Paint,Shop
controller.dispose()
