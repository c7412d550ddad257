import { Collection, Entity, RestEndpoint } from '@roundtable/core'

export class Product extends Entity {
  static override key = 'Product'
  id = ''
  name = ''
}

export const getProducts = new RestEndpoint({
  urlPrefix: process.env.API ?? 'https://api.example.com',
  path: '/products',
  schema: new Collection([Product]),
})

export const getCart = new RestEndpoint({
  urlPrefix: process.env.API ?? 'https://api.example.com',
  path: '/cart',
  process: (cart: { count: number }) => cart,
})
