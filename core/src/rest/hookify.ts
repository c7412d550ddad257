import { defineMember } from '../util/plain.js'

/** A resource with hooks that return its endpoints: `get` becomes `useGet()`. */
export type HookResource<R> = {
  readonly [Name in keyof R as R[Name] extends { extend: unknown; key: unknown }
    ? `use${Capitalize<Name & string>}`
    : never]: () => R[Name]
}

/**
 * Turns each endpoint of a resource into a hook that returns the endpoint with `fetch` options from the application's
 * context, such as a token.
 *
 * @remarks
 * `useInit` is a hook, so call the hooks during render only. They return the same endpoint as long as `useInit` returns the
 * same object.
 *
 * @example
 * ```ts
 * const TodoHooks = hookifyResource(TodoResource, () => {
 *   const token = useContext(TokenContext) // React's
 *   return useMemo(() => ({ headers: { 'Access-Token': token } }), [token])
 * })
 * const getTodo = TodoHooks.useGet()
 * ```
 */
export function hookifyResource<R extends object>(resource: R, useInit: () => RequestInit): HookResource<R> {
  const hooks = {}
  for (const [name, member] of Object.entries(resource)) {
    if (!('extend' in member)) continue
    defineMember(hooks, `use${name.charAt(0).toUpperCase()}${name.slice(1)}`, hookOf(member, useInit))
  }
  // The loop above has named its members.
  return hooks as HookResource<R>
}

interface Extendable {
  readonly requestInit?: RequestInit
  extend(options: { readonly requestInit: RequestInit }): unknown
}

function hookOf(endpoint: Extendable, useInit: () => RequestInit): () => unknown {
  const made = new WeakMap<RequestInit, unknown>()
  return () => {
    const init = useInit()
    const extended = made.get(init) ?? endpoint.extend({ requestInit: { ...endpoint.requestInit, ...init } })
    made.set(init, extended)
    return extended
  }
}
