import { getCart } from '../../../docs/snippets/shared-results/api.js'
import { shared } from '../../../docs/snippets/shared-results/files.js'
import { render } from '../../../docs/snippets/shared-results/render.js'

/** What a process of a server is told to do. */
export interface Task {
  /** How many requests it answers at once. */
  readonly render?: number
  /** So many ms pass before. */
  readonly passed?: number
  /** Shares a request that has a cookie. */
  readonly isPersonal?: boolean
}

const { now } = Date
let passed = 0
Date.now = () => now() + passed

const withCookie = getCart.extend({ getRequestInit: () => ({ headers: { cookie: 'session=1' } }) })

process.on('message', async (task: Task) => {
  passed += task.passed ?? 0
  try {
    if (task.isPersonal) await shared('cart', (own) => own.fetch(withCookie))
    else if (task.render !== undefined)
      process.send?.(await Promise.all(Array.from({ length: task.render }, (_, i) => render(`session=${i}`))))
  } catch (error) {
    process.send?.(String((error as Error).cause ?? error))
  }
})
process.send?.('ready')
