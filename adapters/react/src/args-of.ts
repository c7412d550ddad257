/**
 * The current values of arguments; in React they are values already.
 *
 * @returns arguments of the endpoint, typed `never` because their types were checked at the hook's signature
 */
export function argsOf(args: readonly unknown[]): never {
  return args as never
}
