import { pkOfValue } from '../schema/pk.js'
import type { EntityInterface, RowRecord } from '../schema/schema.js'
import type { Place } from './place.js'

/** What entity classes do to their values; what they throw is told with its place. */
export class Hooks {
  readonly #place: Place
  readonly #args: readonly unknown[]

  constructor(place: Place, args: readonly unknown[]) {
    this.#place = place
    this.#args = args
  }

  process(entity: EntityInterface, input: object, parent: unknown, field: string | undefined): unknown {
    return this.#place.guard(() => entity.process(input, parent, field, this.#args))
  }

  pk(entity: EntityInterface, value: object, parent: unknown, field: string | undefined): string | undefined {
    return this.#place.guard(() => pkOfValue(entity, value, parent, field, this.#args))
  }

  validate(entity: EntityInterface, value: RowRecord): void {
    const problem = this.#place.guard(() => entity.validate(value))
    if (problem !== undefined) this.#place.refuse(entity.key, problem)
  }
}
