import type { Controller } from '../client/controller.js'
import type { Marker } from '../client/markers/marker.js'
import type { EndpointInterface, FetchFunction } from '../endpoint/options.js'
import { browserEnv, type Env } from '../util/env.js'
import { TransportError } from '../util/errors.js'
import { type Fixture, type FoundResponse, findResponse, type Interceptor } from './fixtures.js'

/** The verbs that may send a request, and the place of the endpoint among their arguments. */
const SENDERS: ReadonlyMap<unknown, number> = new Map([
  ['fetch', 0],
  ['fetchIfStale', 0],
  ['query', 0],
  ['queryOrError', 0],
  ['observe', 1],
])

/**
 * Returns a controller with the same store that responds with fixtures and interceptors. Requests without a match go to the
 * network; if no response comes from there, the TransportError says that no fixture matches.
 *
 * @remarks
 * A fixture's response replaces the endpoint's `fetch`: it is what the response of a server would be after `process`.
 *
 * @param env the environment whose timers delay the responses
 * @example
 * ```ts
 * const demo = answerFrom(controller, [{ endpoint: getTodo, args: [{ id: 1 }], response: { id: 1, title: 'Sharpen the pencil' } }])
 * const todo = await demo.fetch(getTodo, { id: 1 })
 * ```
 */
export function answerFrom(
  controller: Controller,
  fixtures: readonly (Fixture | Interceptor)[],
  env: Env = browserEnv(),
): Controller {
  const members = new Map<unknown, unknown>()
  const explained = new WeakMap<EndpointInterface, EndpointInterface>()
  return new Proxy(controller, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      // Private parts are the controller's own, so it stays `this` in its methods.
      if (typeof member !== 'function') return member
      if (!members.has(name)) {
        const at = SENDERS.get(name)
        members.set(name, at === undefined ? member.bind(target) : sender(member.bind(target), at))
      }
      return members.get(name)
    },
  })

  function sender(verb: (...given: readonly unknown[]) => unknown, at: number) {
    return (...given: readonly unknown[]): unknown => {
      const args = given.slice(at + 1)
      // The types of the verbs say where their endpoint is.
      const endpoint = given[at] as EndpointInterface
      return verb(...given.slice(0, at), args[0] === null ? endpoint : answering(endpoint, args), ...args)
    }
  }

  function answering(endpoint: EndpointInterface, args: readonly unknown[]): EndpointInterface {
    const { '~query': queryBy } = (endpoint ?? {}) as Partial<Marker>
    // The query that a mark asks for is that of the endpoint below it.
    if (queryBy) return withQuery(endpoint, (queryOf) => queryBy((below) => queryOf(answering(below, args))))
    const found = findResponse(fixtures, endpoint, args)
    if (found !== undefined) return answered(endpoint, found, env)
    if (typeof endpoint !== 'function') return endpoint
    const known = explained.get(endpoint) ?? explainedBy(endpoint)
    explained.set(endpoint, known)
    return known
  }
}

/** A marked endpoint with another query. */
function withQuery(marked: EndpointInterface, query: Marker['~query']): EndpointInterface {
  const copy = Object.defineProperties((...args: never) => marked(...args), Object.getOwnPropertyDescriptors(marked))
  // With all members of the one that it was copied from.
  return Object.assign(copy, { '~query': query }) as unknown as EndpointInterface
}

/** The endpoint as it is, but for the error of a request that gets no response: what a test has forgotten is a fixture. */
function explainedBy(endpoint: EndpointInterface): EndpointInterface {
  const { fetch, transfers } = endpoint as { readonly fetch?: FetchFunction; readonly transfers?: boolean }
  const options = {
    name: endpoint.name,
    transfers,
    async fetch(this: unknown, ...args: never): Promise<unknown> {
      try {
        return await fetch?.apply(this, args)
      } catch (error) {
        if (!(error instanceof TransportError)) throw error
        const { url, method, cause } = error
        const fixture = `{ endpoint, args: ${fixtureArgs(args)}, response }`
        throw new TransportError(url, method, {
          cause,
          hint: ` No fixture matches this call of ${endpoint.name}. Add one: ${fixture}.`,
        })
      }
    },
  }
  // More than the engine's type of `extend`, as below. What has no `fetch` of its own is left as it is.
  const extend = fetch && (endpoint.extend?.bind(endpoint) as ((options: object) => EndpointInterface) | undefined)
  return extend?.(options) ?? endpoint
}

function fixtureArgs(args: readonly unknown[]): string {
  try {
    return JSON.stringify(args).slice(0, 200)
  } catch {
    return '[…]'
  }
}

/** The endpoint with a fixture's response instead of a request. Its key is copied, since its name may come from the replaced function. */
function answered(endpoint: EndpointInterface, { delay, respond: answer }: FoundResponse, env: Env): EndpointInterface {
  const fetch = async (): Promise<unknown> => {
    if (delay > 0) await new Promise<void>((resolve) => env.setTimeout(resolve, delay))
    return answer()
  }
  const key = (...args: readonly unknown[]): string => endpoint.key(...(args as never))
  // More than the engine's type of `extend`: all endpoint classes accept any of their options.
  const extend = endpoint.extend?.bind(endpoint) as ((options: object) => EndpointInterface) | undefined
  return (
    extend?.({ fetch, key, name: endpoint.name, transfers: false }) ??
    Object.assign(fetch, endpoint, { transfers: false })
  )
}
