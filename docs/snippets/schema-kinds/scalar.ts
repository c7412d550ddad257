import { Controller, Entity, RestEndpoint, Scalar } from '@roundtable/core'

const price = new Scalar({
  key: 'price',
  lens: ({ currency }: { currency?: string }) => currency,
})
class Product extends Entity {
  static override key = 'Product'
  static override schema = { price }
  id = ''
  price = 0
}

const getProduct = new RestEndpoint({
  path: '/products/:id',
  searchParams: {} as { currency: string },
  schema: Product,
})

const controller = new Controller()
const pen = (currency: string) => ({ id: 'pen', currency })
controller.setResponse(getProduct, pen('EUR'), { id: 'pen', price: 3 })
controller.setResponse(getProduct, pen('USD'), { id: 'pen', price: 4 })
console.log(controller.getResponse(getProduct, pen('EUR')).data?.price) // → 3
