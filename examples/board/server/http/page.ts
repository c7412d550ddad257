import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'

/** Answers requests outside the API. The second argument carries the socket, as the server gives it to the app. */
export interface Page {
  answer(request: Request, bindings: object): Response | Promise<Response>
  close(): Promise<void>
}

/**
 * Serves the built page from a folder. Any other path without a file extension gets the page too, so that its own
 * addresses can be reloaded.
 */
export function builtPage(folder: string): Page {
  const routes = existsSync(join(folder, 'index.html')) ? filesOf(folder) : excuse()
  return { answer: routes.fetch, close: () => Promise.resolve() }
}

function filesOf(folder: string): Hono {
  const routes = new Hono()
  routes.use(async (c, next) => {
    await next()
    // The names of the assets change with their content.
    const isAsset = c.req.path.startsWith('/assets/') && c.res.ok
    c.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
  })
  routes.use(serveStatic({ root: folder }))
  routes.get('*', async (c, next) => {
    if (/\.\w+$/.test(c.req.path)) return c.text(`There is no file ${c.req.path}.`, 404)
    return await serveStatic({ root: folder, path: 'index.html' })(c, next)
  })
  return routes
}

function excuse(): Hono {
  return new Hono().get('*', (c) => c.text('The page has not been built yet: run "npm run build".', 404))
}
