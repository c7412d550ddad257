import { type Call, type Edit, guess, Item, Owner, type Target } from '../domain.js'
import { type Fact, itemRow, toldByEdit, toldByRead } from './facts.js'
import { listKey, Truth } from './truth.js'

/** A request on its way, as the model knows it. */
export interface Pending {
  readonly id: number
  readonly start: number
  /** The edit that is expected to succeed, if its endpoint says so. */
  readonly expected: Edit | undefined
}

/**
 * A naive second opinion on what the table shows: a list of facts that only grows, and the edits that are pending. Each look folds all
 * facts anew.
 */
export class Model {
  readonly #facts: Fact[] = []
  readonly #pending = new Map<number, Pending>()
  #time = 0
  #visible: Truth | undefined

  /** A request starts. */
  begin(id: number, expected: Edit | undefined): void {
    this.#pending.set(id, { id, start: ++this.#time, expected })
    this.#visible = undefined
  }

  /** A request is over, whatever came of it. */
  end(id: number): void {
    this.#pending.delete(id)
    this.#visible = undefined
  }

  /** The moment at which an edit is completed. */
  now(): number {
    return ++this.#time
  }

  /** An answer is accepted; an edit was completed at `done`. */
  answered(id: number, call: Call, data: unknown, done: number): void {
    const start = this.#pending.get(id)?.start ?? 0
    if (call.type === 'read') this.#learn({ ...toldByRead(call.target, data), start, done: undefined })
    else if (!saysNothing(call.edit, data)) this.#learn({ ...toldByEdit(call.edit, data), start, done })
    else if (this.#pending.get(id)?.expected !== undefined) this.#keepExpected(call.edit, start, done)
  }

  /** The page itself says something: a read that starts now. */
  told(target: Target, data: unknown): void {
    this.#learn({ ...toldByRead(target, data), start: ++this.#time, done: undefined })
  }

  reset(): void {
    this.#facts.length = 0
    this.#pending.clear()
    this.#visible = undefined
  }

  /** What there is to show for a read; undefined if nothing. */
  show(target: Target): unknown {
    const truth = this.#look()
    if (target.read === 'stats') return truth.results.get('stats')
    if (target.read === 'item') return showItem(truth, String(target.id))
    const list = truth.lists.get(listKey(target.group))
    return list?.pks.map((pk) => showItem(truth, pk)).filter((item) => item !== undefined)
  }

  #learn(fact: Fact): void {
    this.#facts.push(fact)
    this.#visible = undefined
  }

  /** An edit that was answered without a body: what was expected of rows that have a key is what is known. */
  #keepExpected(edit: Edit, start: number, done: number): void {
    if (edit.id === undefined) return
    const base = Truth.of(this.#facts)
    const expected = guess(edit, (id) => showItem(base, String(id)))
    if (expected !== undefined) this.#learn({ ...toldByEdit(edit, expected), start, done })
  }

  /** All facts, and on top of them what pending edits are expected to say, in the order of their starts. */
  #look(): Truth {
    if (this.#visible !== undefined) return this.#visible
    const truth = new Truth(Truth.of(this.#facts))
    for (const { id, start, expected } of this.#pending.values()) {
      if (expected === undefined) continue
      const answer = guess(expected, (of) => showItem(truth, String(of)))
      if (answer === undefined) continue
      const whole = expected.id === undefined ? { ...answer, id: `optimistic:${id}` } : answer
      truth.expect(toldByEdit(expected, whole), start)
    }
    this.#visible = truth
    return truth
  }
}

/** Deletions and removals need no body: their arguments name the item. */
function saysNothing(edit: Edit, data: unknown): boolean {
  return data === null && edit.deed !== 'delete' && edit.deed !== 'remove'
}

/** An item as it is shown: what is not known is as in an empty one. */
function showItem(truth: Truth, pk: string): Item | undefined {
  const fields = truth.rows.get(itemRow(pk))
  if (fields === undefined || fields === 'deleted') return undefined
  const owner = fields.owner === undefined ? undefined : truth.rows.get(fields.owner as string)
  const shownOwner = typeof owner === 'object' ? Object.assign(new Owner(), owner) : undefined
  return Object.assign(new Item(), fields, { owner: shownOwner })
}
