/**
 * The base of classes whose instances are callable: a call runs `run(instance, args)`.
 *
 * @remarks
 * The constructor returns an arrow function with the class's prototype. It evaluates no code from strings, so it works under
 * any content security policy. A subclass may have `#private` members; this class itself cannot.
 *
 * @example
 * ```ts
 * class Greeter extends Callable {
 *   constructor() {
 *     super((_, [name]) => `Hello ${name}`)
 *   }
 * }
 * ```
 */
export class Callable {
  constructor(run: (instance: unknown, args: readonly unknown[]) => unknown) {
    const instance = (...args: unknown[]): unknown => run(instance, args)
    // The arrow's own `name` and `length` would hide those of the class, and neither can be assigned.
    Reflect.deleteProperty(instance, 'name')
    Reflect.deleteProperty(instance, 'length')
    // biome-ignore lint/correctness/noConstructorReturn: the arrow replaces the object, which is not callable.
    return Object.setPrototypeOf(instance, new.target.prototype)
  }
}

// The prototype of functions provides `call`, `apply` and `instanceof Function`.
Object.setPrototypeOf(Callable.prototype, Function.prototype)
