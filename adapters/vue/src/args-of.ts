import { isProxy, isRef, toRaw, toValue, unref } from 'vue'

/**
 * Returns the current values of arguments and of their fields, read from refs and getters. Reactive objects are copied, so
 * that the arguments of a request do not change.
 *
 * @returns arguments of the endpoint, typed `never` because their types were checked at the hook's signature
 */
export function argsOf(args: readonly unknown[]): never {
  const now = args.map((arg) => still(toValue(arg)))
  // A getter that returns undefined is no argument.
  while (now.length > 0 && now.at(-1) === undefined) now.pop()
  return now as never
}

function still(refOrValue: unknown): unknown {
  const value = unref(refOrValue)
  if (!isProxy(value) && !holdsRefs(value)) return value
  if (Array.isArray(value)) return value.map(still)
  const raw: unknown = toRaw(value)
  if (Object.getPrototypeOf(raw) !== Object.prototype) return raw
  // Reading through the proxy tracks each field.
  return Object.fromEntries(Object.entries(value as object).map(([name, field]) => [name, still(field)]))
}

function holdsRefs(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).some(isRef)
}
