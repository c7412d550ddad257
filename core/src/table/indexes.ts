import { type Dependents, Node } from './graph.js'
import { isThere } from './value.js'

/** The members of a row that look-ups need. */
interface Indexed {
  readonly pk: string
  readonly value: unknown
}

/** The look-up of a field's value. Views that used it depend on it, whether it found a row or not. */
class IndexNode extends Node {
  /** Keys of the rows whose field has the value, in the order in which they got the value. */
  readonly pks = new Set<string>()
}

/** The rows of one kind by the values of some of their fields. */
export class Indexes {
  readonly #fields = new Map<string, { slots: Map<string, IndexNode>; values: Map<string, string> }>()

  /** Adds indexed fields, and the existing rows to their indexes. */
  cover(fields: readonly string[], rows: Iterable<Indexed>): void {
    const fresh = fields.filter((field) => !this.#fields.has(field))
    if (fresh.length === 0) return
    for (const field of fresh) this.#fields.set(field, { slots: new Map(), values: new Map() })
    for (const row of rows) this.update(row)
  }

  /** Updates the indexes for a row whose visible value has changed. Returns the look-ups whose result has changed. */
  update(row: Indexed): readonly Node[] {
    const changed: Node[] = []
    for (const [field, index] of this.#fields) {
      // Only records have fields to look up, not other values of rows.
      const now = isThere(row.value) ? indexText((row.value as Record<string, unknown>)[field]) : undefined
      const before = index.values.get(row.pk)
      if (now === before) continue
      if (before !== undefined) changed.push(this.#leave(index.slots, before, row.pk))
      if (now !== undefined) changed.push(enterPk(index.slots, now, row.pk))
      if (now === undefined) index.values.delete(row.pk)
      else index.values.set(row.pk, now)
    }
    return changed
  }

  /** Returns the look-up of a value: a node to depend on, and the first key that it finds. */
  find(
    field: string,
    value: unknown,
    isWanted: (pk: string) => boolean,
  ): { node: Node; pk: string | undefined } | undefined {
    const index = this.#fields.get(field)
    const text = indexText(value)
    if (index === undefined || text === undefined) return undefined
    const node = nodeOf(index.slots, text)
    for (const pk of node.pks) if (isWanted(pk)) return { node, pk }
    return { node, pk: undefined }
  }

  /** Drops look-ups without a result and without dependents; `alive` decides which dependents still exist. */
  sweep(alive: (dependents: Dependents) => Dependents): void {
    for (const { slots } of this.#fields.values()) {
      for (const [text, node] of slots) {
        node.dependents = alive(node.dependents)
        if (node.pks.size === 0 && node.dependents === undefined) slots.delete(text)
      }
    }
  }

  #leave(slots: Map<string, IndexNode>, text: string, pk: string): IndexNode {
    const node = nodeOf(slots, text)
    node.pks.delete(pk)
    return node
  }
}

function enterPk(slots: Map<string, IndexNode>, text: string, pk: string): IndexNode {
  const node = nodeOf(slots, text)
  node.pks.add(pk)
  return node
}

function nodeOf(slots: Map<string, IndexNode>, text: string): IndexNode {
  const existing = slots.get(text)
  if (existing !== undefined) return existing
  const node = new IndexNode()
  slots.set(text, node)
  return node
}

/** Returns the text by which a value is looked up: like primary keys, numbers equal their text. Undefined for objects. */
export function indexText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  return undefined
}
