import { type Controller, Entity } from '@roundtable/core'
import { Board, Item } from './domain.js'
import { text } from './same.js'
import { must } from './wrong.js'

/**
 * Checks that there is never a second object of a row that somebody shows, and that what a row leads to does not go
 * before it.
 */
export class OneObject {
  readonly #controller: Controller
  /** Whether an item has an owner, as far as anybody was told: one that was deleted and is created anew has none. */
  readonly #hasOwner: (id: string) => boolean
  /** Items that were shown with their owners, by the reader that showed them. */
  readonly #owned = new WeakMap<object, ReadonlySet<unknown>>()

  constructor(controller: Controller, hasOwner: (id: string) => boolean) {
    this.#controller = controller
    this.#hasOwner = hasOwner
  }

  /** Checks what a reader shows; `reader` is its own for as long as it is there. */
  check(reader: object, name: unknown, shown: unknown): void {
    const owned = new Set<unknown>()
    const before = this.#owned.get(reader)
    for (const row of rowsIn(shown)) {
      // What depends on who asks is another object for each.
      if (row instanceof Board) continue
      const { id } = row as Entity & { readonly id: string }
      const what = (): string => `${row.constructor.name} ${id}, shown by ${text(name)},`
      const known = this.#controller.get(row.constructor as typeof Item, { id })
      must(known === (row as unknown), () => `${what()} is another object than the table's`)
      if (!(row instanceof Item)) continue
      if (row.owner !== undefined) owned.add(id)
      else must(before?.has(id) !== true || !this.#hasOwner(id), () => `${what()} has lost its owner`)
    }
    this.#owned.set(reader, owned)
  }
}

/** All rows that a value shows, and those in them. */
function* rowsIn(value: unknown): Generator<Entity, void> {
  if (typeof value !== 'object' || value === null) return
  if (value instanceof Entity) yield value
  for (const inner of Object.values(value)) yield* rowsIn(inner)
}
