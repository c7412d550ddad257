/** A thing kept by key, and within a key by schema, so that the same question has the same observer. */
export interface Shelved {
  readonly schema: unknown
}

/** Observers by key and schema. */
export class Shelf<Item extends Shelved> {
  readonly #items = new Map<string, Item[]>()

  get(key: string, schema: unknown): Item | undefined {
    for (const item of this.#items.get(key) ?? []) if (item.schema === schema) return item
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

  delete(key: string, item: Item): void {
    const items = this.#items.get(key)?.filter((other) => other !== item) ?? []
    if (items.length === 0) this.#items.delete(key)
    else this.#items.set(key, items)
  }

  *[Symbol.iterator](): Generator<readonly [string, Item]> {
    for (const [key, items] of this.#items) for (const item of items) yield [key, item]
  }
}
