import type { Controller } from '../client/controller.js'
import type { EndpointInterface } from '../endpoint/options.js'
import { browserEnv, type Env } from '../util/env.js'
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
 * network.
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
      // The types of the verbs say where their endpoint is.
      const endpoint = given[at] as EndpointInterface
      const args = given.slice(at + 1)
      const found = args[0] === null ? undefined : findResponse(fixtures, endpoint, args)
      return verb(...given.slice(0, at), found === undefined ? endpoint : answered(endpoint, found, env), ...args)
    }
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
