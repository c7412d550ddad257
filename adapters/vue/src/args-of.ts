import { isProxy, toRaw, toValue } from 'vue'

/**
 * The arguments as they are now, out of their refs and getters. Reactive objects are copied: a request keeps what it was made for.
 *
 * @returns never anything else than arguments of the endpoint whose types were checked where they were given, hence `never`
 */
export function argsOf(args: readonly unknown[]): never {
  return args.map((arg) => still(toValue(arg))) as never
}

function still(value: unknown): unknown {
  if (!isProxy(value)) return value
  if (Array.isArray(value)) return value.map(still)
  const raw: unknown = toRaw(value)
  if (Object.getPrototypeOf(raw) !== Object.prototype) return raw
  // Read through the proxy, so that each field is followed.
  return Object.fromEntries(Object.entries(value as object).map(([name, field]) => [name, still(field)]))
}
