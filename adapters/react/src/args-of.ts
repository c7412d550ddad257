/**
 * Returns the current values of arguments. In React they are already values.
 *
 * @returns arguments of the endpoint, typed `never` because their types were checked at the hook's signature
 */
export function argsOf(args: readonly unknown[]): never {
  return args as never
}
