/** A thing kept by key, and within a key by schema, so that the same question has the same observer. */
export interface Shelved {
  readonly schema: unknown
  /** True while somebody needs it. */
  readonly isHeld: boolean
  /** Monotonic ms at which it was last of use. */
  readonly used: number
  /** Leaves nothing behind. Should somebody have kept it, it comes back to the shelf when it is used again. */
  dispose(): void
}

/** Puts a thing back that was let go of, and is used again by somebody who had kept it. */
export type Back<Item> = (item: Item) => void

/** Observers by key and schema. */
export class Shelf<Item extends Shelved> {
  readonly #items = new Map<string, Item[]>()

  get(key: string, schema: unknown): Item | undefined {
    for (const item of this.of(key)) if (item.schema === schema) return item
    return undefined
  }

  has(key: string): boolean {
    return this.#items.has(key)
  }

  add(key: string, item: Item): void {
    const items = this.#items.get(key)
    if (items === undefined) this.#items.set(key, [item])
    else items.push(item)
  }

  #delete(key: string, item: Item): void {
    const items = this.#items.get(key)?.filter((other) => other !== item) ?? []
    if (items.length === 0) this.#items.delete(key)
    else this.#items.set(key, items)
  }

  /** Lets go of what is not held and was not used since then; true if some remains that is not held. */
  dropUnused(since: number): boolean {
    let isLeft = false
    for (const [key, item] of [...this]) {
      if (item.isHeld) continue
      if (item.used > since) isLeft = true
      else {
        item.dispose()
        this.#delete(key, item)
      }
    }
    return isLeft
  }

  /** All of a key. */
  of(key: string): readonly Item[] {
    return this.#items.get(key) ?? []
  }

  *[Symbol.iterator](): Generator<readonly [string, Item]> {
    for (const [key, items] of this.#items) for (const item of items) yield [key, item]
  }
}
