import type { Context, Hono } from 'hono'
import { ApiError } from './errors.js'

/** Answers what no route took: 405 with `Allow` where the path is known by other methods, else 404. */
export function noSuchRoute(api: Pick<Hono, 'routes'>): (c: Context) => never {
  const routes = api.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({ method, pattern: patternOf(path) }))
  return (c) => {
    const allowed = new Set(routes.filter(({ pattern }) => pattern.test(c.req.path)).map(({ method }) => method))
    if (allowed.size === 0) throw new ApiError(404, `There is nothing at ${c.req.path}.`)
    c.header('allow', [...allowed].join(', '))
    throw new ApiError(405, `${c.req.path} does not take ${c.req.method}, only ${[...allowed].join(', ')}.`)
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
}
