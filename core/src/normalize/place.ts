import { describe } from '../util/describe.js'
import { RoundtableError, SchemaError } from '../util/errors.js'
import { isOverflow } from './overflow.js'

/** Where in a payload the walk is; errors say so. */
export class Place {
  /** The way here; what lies deeper is left over. */
  readonly #path: (string | number)[] = []
  #depth = 0

  /** What brings `leave` back here. */
  get here(): number {
    return this.#depth
  }

  /** Goes into a field; what it returns brings `leave` back. */
  enter(field: string | number): number {
    const depth = this.#depth
    this.#path[depth] = field
    this.#depth = depth + 1
    return depth
  }

  leave(outer: number): void {
    this.#depth = outer
  }

  /** The path, such as `$[57].author`. */
  toString(): string {
    const steps = this.#path.slice(0, this.#depth)
    return steps.reduce<string>((path, step) => path + (typeof step === 'number' ? `[${step}]` : `.${step}`), '$')
  }

  /** Stops with a `SchemaError` of this place, or of the one right below it. */
  fail(expected: string, found: unknown, at?: string | number): never {
    if (at !== undefined) this.enter(at)
    const within = expected === 'an array' ? fieldsOf(found, Array.isArray) : ''
    const where = within && `; the list seems to be in ${within}`
    throw new SchemaError(this.toString(), expected, `${describe(found)}${where}`)
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

/** The names of the fields of an object in which something is: where data that was expected instead of it may be. */
export function fieldsOf(found: unknown, is: (value: unknown) => boolean): string {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return ''
  return Object.entries(found)
    .flatMap(([name, value]) => (is(value) ? [`'${name}'`] : []))
    .join(' or ')
}
