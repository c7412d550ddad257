import { Controller, type Transport } from '@roundtable/core'
import { dehydrate, hydrate, toScript } from '@roundtable/core/hydration'
import { getCart, getProducts } from './api.js'
import { shared } from './files.js'

/** Answers one request of one user. */
export async function render(cookie: string): Promise<string> {
  const transport: Transport = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('cookie', cookie)
    return fetch(input, { ...init, headers })
  }
  const controller = new Controller({ server: true, transport })
  const { state, madeAt } = await shared('products', (own) =>
    own.fetch(getProducts),
  )
  if (state !== null)
    hydrate(controller, state, { age: Date.now() - madeAt })
  const [products, cart] = await Promise.all([
    controller.fetchIfStale(getProducts),
    controller.fetch(getCart),
  ])
  const names = products.map(({ name }) => `<li>${name}</li>`).join('')
  return `<p>${cart.count} in your cart</p><ul>${names}</ul>${toScript(dehydrate(controller))}`
}
