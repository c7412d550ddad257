/**
 * The arguments as they are now; in React they are values already.
 *
 * @returns never anything else than arguments of the endpoint whose types were checked where they were given, hence `never`
 */
export function argsOf(args: readonly unknown[]): never {
  return args as never
}
