import { describe } from '../tools/describe.js'
import { RoundtableError, SchemaError } from '../tools/errors.js'
import { isOverflow } from './overflow.js'

/** Where one goes in that is there already. */
const HERE = Symbol('HERE')

/** Where in a payload the walk is; errors say so. */
export class Place {
  readonly #isTraced: boolean
  readonly #path: (string | number)[] = []
  /** What stands here. */
  #input: unknown = undefined

  /** One that is not traced costs nothing and says nothing: it is for walks that most likely go well. */
  constructor(isTraced: boolean) {
    this.#isTraced = isTraced
  }

  /**
   * Goes into a field; what it returns brings `leave` back. A schema that hands its own input on, to a schema of its choice, stays
   * where it is.
   */
  enter(field: string | number, input: unknown): unknown {
    if (!this.#isTraced) return HERE
    const outer = this.#input
    if (input === outer) return HERE
    this.#input = input
    this.#path.push(field)
    return outer
  }

  leave(outer: unknown): void {
    if (outer === HERE) return
    this.#path.pop()
    this.#input = outer
  }

  /** The path, such as `$[57].author`. */
  toString(): string {
    return this.#path.reduce<string>((path, step) => path + (typeof step === 'number' ? `[${step}]` : `.${step}`), '$')
  }

  /** Stops with a `SchemaError` of this place, or of the one right below it. */
  fail(expected: string, found: unknown, at?: string | number): never {
    if (at !== undefined) this.enter(at, found)
    throw new SchemaError(this.toString(), expected, describe(found))
  }

  /** Stops with a `SchemaError` of an entity that its own class has something against. */
  refuse(kind: string, problem: string): never {
    const message = `${kind} at ${this.toString()} is not valid: ${problem}. Correct the answer, or validate().`
    throw new SchemaError(this.toString(), `a valid ${kind}`, problem, { message })
  }

  /** Runs a user's function; what it throws is told with this place. */
  guard<Result>(run: () => Result): Result {
    try {
      return run()
    } catch (cause) {
      if (cause instanceof RoundtableError || isOverflow(cause)) throw cause
      throw new SchemaError(this.toString(), 'data that the schema can read', 'data that made it throw', { cause })
    }
  }
}
