import { All, Controller, Entity, Query } from '@roundtable/core'

class Item extends Entity {
  static override key = 'Item'
  id = 0
  price = 0
}

const total = new Query(new All(Item), (items) =>
  items.reduce((sum, { price }) => sum + price, 0),
)

const controller = new Controller()
controller.set(Item, { id: 1 }, { price: 3 })
controller.set(Item, { id: 2 }, { price: 4 })
console.log(controller.get(total)) // → 7
