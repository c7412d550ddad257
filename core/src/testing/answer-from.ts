import type { Controller } from '../client/controller.js'
import type { Marker } from '../client/markers/marker.js'
import type { EndpointInterface } from '../endpoint/options.js'
import type { FetchFunction } from '../endpoint/result.js'
import { browserEnv, type Env } from '../util/env.js'
import { OptionError, TransportError } from '../util/errors.js'
import { type Fixture, type FoundResponse, findResponse, type Interceptor } from './fixtures.js'

/** The verbs that may send a request, each with the position of the endpoint in its arguments. */
const SENDERS: ReadonlyMap<unknown, number> = new Map([
  ['fetch', 0],
  ['fetchIfStale', 0],
  ['watch', 0],
  ['watchOrError', 0],
  ['observe', 1],
  // The old names of `watch` and `watchOrError`.
  ['query', 0],
  ['queryOrError', 0],
])

/** The handling of requests without a match: `use` sends them, `error` makes them fail at once. */
export type Unanswered = 'use' | 'error'

/**
 * Returns a controller with the same store that responds with fixtures and interceptors. Requests without a match go to the
 * network; if there is no response, the `TransportError` says that no fixture matches.
 *
 * @remarks
 * A fixture's response replaces the result of the endpoint's `fetch`, which is the server's response after `process`.
 *
 * @param env the environment whose timers delay the responses
 * @param network with `'error'`, requests without a match fail, and nothing is sent
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
  network: Unanswered = 'use',
): Controller {
  const members = new Map<unknown, unknown>()
  const unanswered = new WeakMap<EndpointInterface, EndpointInterface>()
  return new Proxy(controller, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      // Only the controller itself has its private members, so it stays the `this` of its methods.
      if (typeof member !== 'function') return member
      if (!members.has(name)) {
        const at = SENDERS.get(name)
        members.set(name, at === undefined ? member.bind(target) : sender(member.bind(target), at))
      }
      return members.get(name)
    },
  })

  function sender(verb: (...verbArgs: readonly unknown[]) => unknown, at: number) {
    return (...verbArgs: readonly unknown[]): unknown => {
      const args = verbArgs.slice(at + 1)
      // By the types of the verbs, this argument is an endpoint.
      const endpoint = verbArgs[at] as EndpointInterface
      return verb(...verbArgs.slice(0, at), args[0] === null ? endpoint : answering(endpoint, args), ...args)
    }
  }

  function answering(endpoint: EndpointInterface, args: readonly unknown[]): EndpointInterface {
    const { '~query': queryBy } = (endpoint ?? {}) as Partial<Marker>
    // A marker uses the query of the endpoint below it.
    if (queryBy) return withQuery(endpoint, (queryOf) => queryBy((below) => queryOf(answering(below, args))))
    if (typeof endpoint !== 'function') return endpoint
    const found = findResponse(fixtures, endpoint, args)
    if (found !== undefined) return withPages(answered(endpoint, found, env), endpoint)
    const refusing = unanswered.get(endpoint) ?? withPages(withoutResponse(endpoint, network), endpoint)
    unanswered.set(endpoint, refusing)
    return refusing
  }

  /** Lets the fixtures respond to the pages of a list, which requests them itself with arguments of its own. */
  function withPages(copy: EndpointInterface, endpoint: Paged): EndpointInterface {
    if (!('getPage' in endpoint) || copy === endpoint) return copy
    return Object.defineProperty(copy, 'getPage', {
      get() {
        // It throws without a Collection, whether there are fixtures or not.
        const { getPage } = endpoint
        return getPage && replaced(getPage, fetch)
        async function fetch(this: unknown, ...args: never): Promise<unknown> {
          const page = answering(getPage as EndpointInterface, args) as { readonly fetch?: FetchFunction }
          return page.fetch?.apply(this, args)
        }
      },
    })
  }
}

/** A list endpoint; others have no `getPage`. */
interface Paged extends EndpointInterface {
  readonly getPage?: EndpointInterface
}

/** Returns a marked endpoint with another query. */
function withQuery(marked: EndpointInterface, query: Marker['~query']): EndpointInterface {
  const copy = Object.defineProperties((...args: never) => marked(...args), Object.getOwnPropertyDescriptors(marked))
  // The copy has all members of the original.
  return Object.assign(copy, { '~query': query }) as unknown as EndpointInterface
}

/**
 * Returns the endpoint of a call without a matching fixture. With `'use'`, it only adds a hint to the error of a request
 * without a response; with `'error'`, it fails at once.
 */
function withoutResponse(endpoint: EndpointInterface, network: Unanswered): EndpointInterface {
  const { fetch, transfers } = endpoint as { readonly fetch?: FetchFunction; readonly transfers?: boolean }
  if (network === 'error') {
    return replaced(endpoint, async (...args: never) => {
      const reason = `has no response to this call of ${endpoint.name}, and network: 'error' refuses to send it.`
      throw new OptionError('resolverFixtures', `${reason} ${advice(args)}`)
    })
  }
  // An endpoint without its own `fetch` stays unchanged.
  if (fetch === undefined || endpoint.extend === undefined) return endpoint
  async function explained(this: unknown, ...args: never): Promise<unknown> {
    try {
      return await fetch?.apply(this, args)
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      const { url, method, cause } = error
      const hint = ` No fixture matches this call of ${endpoint.name}. ${advice(args)}`
      throw new TransportError(url, method, { cause, hint })
    }
  }
  return replaced(endpoint, explained, { transfers })
}

function advice(args: readonly unknown[]): string {
  return `Add one: { endpoint, args: ${fixtureArgs(args)}, response }.`
}

function fixtureArgs(args: readonly unknown[]): string {
  try {
    return JSON.stringify(args).slice(0, 200)
  } catch {
    return '[…]'
  }
}

/** Returns the endpoint with a fixture's response. Copies the key, since the name may be that of the replaced function. */
function answered(endpoint: EndpointInterface, { delay, respond: answer }: FoundResponse, env: Env): EndpointInterface {
  const respond = async (): Promise<unknown> => {
    if (delay > 0) await new Promise<void>((resolve) => env.setTimeout(resolve, delay))
    return answer()
  }
  return replaced(endpoint, respond, { key: (...args: readonly unknown[]) => endpoint.key(...(args as never)) })
}

/** Returns the endpoint with another function. */
function replaced(endpoint: EndpointInterface, fetch: FetchFunction, others?: object): EndpointInterface {
  const options = { name: endpoint.name, transfers: false, ...others }
  // All endpoint classes accept more options than the engine's type of `extend` declares.
  const extend = endpoint.extend?.bind(endpoint) as ((options: object) => EndpointInterface) | undefined
  return extend?.({ ...options, fetch }) ?? Object.assign(fetch, endpoint, { transfers: false, ...others })
}
