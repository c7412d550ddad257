import { Controller, EntityMixin, RestEndpoint } from '@roundtable/core'

class Stock {
  symbol = ''
  price = 0
  get label() {
    return `${this.symbol} ${this.price}`
  }
}
class StockEntity extends EntityMixin(Stock, {
  pk: 'symbol',
  key: 'Stock',
}) {}

const getStock = new RestEndpoint({
  path: '/stocks/:symbol',
  schema: StockEntity,
})

const controller = new Controller()
controller.setResponse(
  getStock,
  { symbol: 'RT' },
  { symbol: 'RT', price: 3 },
)
console.log(controller.get(StockEntity, { symbol: 'RT' })?.label) // → RT 3
