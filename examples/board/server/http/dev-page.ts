import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { Page } from './page.js'

/** Serves the page from its sources, through Vite, which sends each change to the browser at once. */
export async function developedPage(folder: string): Promise<Page> {
  const { createServer } = await import('vite')
  const vite = await createServer({ root: folder, server: { middlewareMode: true }, appType: 'spa' })
  const routes = new Hono<{ Bindings: HttpBindings }>()
  routes.all('*', (c) => {
    const { incoming, outgoing } = c.env
    return new Promise<Response>((resolve) => {
      outgoing.once('close', () => resolve(RESPONSE_ALREADY_SENT))
      vite.middlewares(incoming, outgoing, () => resolve(c.text(`There is no file ${c.req.path}.`, 404)))
    })
  })
  return { answer: routes.fetch, close: () => vite.close() }
}
