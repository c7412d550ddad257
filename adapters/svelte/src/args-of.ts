/**
 * Returns the current values of arguments, from their thunk if they have one.
 *
 * @returns arguments of the endpoint, typed `never` because their types were checked at the hook's signature
 */
export function argsOf(args: readonly unknown[]): never {
  const [first] = args
  const now: unknown = typeof first === 'function' ? first() : args
  return (Array.isArray(now) ? now : [now]) as never
}
