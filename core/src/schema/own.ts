/**
 * Sets an own field whatever its name and whatever the prototype says: `__proto__` becomes data and never anything's prototype.
 *
 * @example
 * ```ts
 * const target = {}
 * setOwn(target, '__proto__', { isAdmin: true })
 * Object.getPrototypeOf(target) === Object.prototype // true
 * ```
 */
export function setOwn(target: object, field: string, value: unknown): void {
  Object.defineProperty(target, field, { value, writable: true, enumerable: true, configurable: true })
}
