/**
 * The arguments as they are now, out of their thunk.
 *
 * @returns never anything else than arguments of the endpoint whose types were checked where they were given, hence `never`
 */
export function argsOf(args: readonly unknown[]): never {
  const [first] = args
  const now: unknown = typeof first === 'function' ? first() : args
  return (Array.isArray(now) ? now : [now]) as never
}
