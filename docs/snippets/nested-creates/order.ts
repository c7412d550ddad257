import { Controller, Entity, resource } from '@roundtable/core'

class Line extends Entity {
  static override key = 'Line'
  id = 0
  article = ''
  count = 0
}

class Order extends Entity {
  static override key = 'Order'
  static override schema = { lines: [Line] }
  id = 0
  lines: Line[] = []
}

const OrderResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/orders/:id',
  schema: Order,
  body: {} as { lines: { article: string; count: number }[] },
})

const transport = async () =>
  Response.json({ id: 1, lines: [{ id: 11, article: 'Pen', count: 2 }] })

const controller = new Controller({ transport })
const order = await controller.fetch(OrderResource.create, {
  lines: [{ article: 'Pen', count: 2 }],
})
console.log(order?.lines[0]?.id, controller.get(Line, { id: 11 })?.article) // → 11 Pen
controller.dispose()
