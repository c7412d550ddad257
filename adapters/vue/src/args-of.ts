import { isProxy, isRef, toRaw, toValue, unref } from 'vue'

/**
 * The current values of arguments and of their fields, read from refs and getters. Reactive objects are copied, so that a request
 * keeps the arguments that it was sent for.
 *
 * @returns arguments of the endpoint, typed `never` because their types were checked at the hook's signature
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
