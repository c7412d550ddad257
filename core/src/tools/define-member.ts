/**
 * Defines an ordinary member of an object, whatever setters and read-only members its class has of that name.
 *
 * @example
 * ```ts
 * defineMember(endpoint, 'name', 'getUser')
 * ```
 */
export function defineMember(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}
