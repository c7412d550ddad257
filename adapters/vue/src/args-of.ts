import { isProxy, isRef, toRaw, toValue, unref } from 'vue'

/**
 * The arguments as they are now, out of their refs and getters, and so are the fields of each. Reactive objects are copied: a request
 * keeps what it was made for.
 *
 * @returns never anything else than arguments of the endpoint whose types were checked where they were given, hence `never`
 */
export function argsOf(args: readonly unknown[]): never {
  const now = args.map((arg) => still(toValue(arg)))
  // A getter that has nothing to give is no argument.
  while (now.length > 0 && now.at(-1) === undefined) now.pop()
  return now as never
}

function still(given: unknown): unknown {
  const value = unref(given)
  if (!isProxy(value) && !holdsRefs(value)) return value
  if (Array.isArray(value)) return value.map(still)
  const raw: unknown = toRaw(value)
  if (Object.getPrototypeOf(raw) !== Object.prototype) return raw
  // Read through the proxy, so that each field is followed.
  return Object.fromEntries(Object.entries(value as object).map(([name, field]) => [name, still(field)]))
}

function holdsRefs(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).some(isRef)
}
