/**
 * The arguments as they are now, out of their thunk.
 *
 * @returns arguments of the endpoint, typed `never` because their types were checked at the hook's signature
 */
export function argsOf(args: readonly unknown[]): never {
  const [first] = args
  const now: unknown = typeof first === 'function' ? first() : args
  return (Array.isArray(now) ? now : [now]) as never
}
