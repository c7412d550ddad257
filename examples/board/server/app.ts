import { Hono } from 'hono'
import { limitBody } from './http/body.js'
import { answerError } from './http/errors.js'
import { noSuchRoute } from './http/no-such-route.js'
import type { Page } from './http/page.js'
import { obeySwitches } from './http/switches.js'
import { commentRoutes } from './routes/comments.js'
import { personRoutes } from './routes/people.js'
import { projectRoutes } from './routes/projects.js'
import { sessionRoutes } from './routes/session.js'
import { taskRoutes } from './routes/tasks.js'
import type { Services } from './services.js'

/** The server's app. The bindings are the socket's, where there is one. */
export type App = Hono<{ Bindings: object }>

/** The whole server without its socket: the API under `/api`, the page everywhere else. */
export function createApp(services: Services, page: Page): App {
  const api = new Hono()
  api.use(limitBody, obeySwitches, async (c, next) => {
    // Anew each time; the page itself may keep it on the device.
    c.header('cache-control', 'private, no-cache')
    await next()
  })
  api.route('/projects', projectRoutes(services))
  api.route('/people', personRoutes(services))
  api.route('/tasks', taskRoutes(services))
  api.route('/comments', commentRoutes(services))
  api.route('/', sessionRoutes(services))

  const app: App = new Hono()
  app.route('/api', api)
  app.all('/api/*', noSuchRoute(app))
  app.all('*', (c) => page.answer(c.req.raw, c.env))
  app.onError(answerError)
  return app
}
