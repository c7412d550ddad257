import { type Call, type Edit, guess, Item, Owner, StatusError, type Target } from '../domain.js'
import { type Fact, type Fields, itemRow, toldByEdit, toldByRead } from './facts.js'
import { Statuses } from './statuses.js'
import { listKey, Truth } from './truth.js'

/** What the model asks of the world. */
export interface Surroundings {
  /** Wall clock in ms. */
  now(): number
  /** Whether what fails leaves on the screen what is there; undefined if that depends on who waits. */
  isSoft(): boolean | undefined
}

/** How long an error counts, in ms. */
const ERROR_LENGTH = 1_000

/** A request on its way, as the model knows it. */
interface Pending {
  readonly id: number
  readonly start: number
  call: Call | undefined
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
  readonly #statuses = new Statuses()
  readonly #around: Surroundings
  #time = 0
  #visible: Truth | undefined
  #version = 0

  constructor(around: Surroundings) {
    this.#around = around
  }

  /** A request starts. */
  begin(id: number, expected: Edit | undefined): void {
    this.#pending.set(id, { id, start: ++this.#time, call: undefined, expected })
    this.#change()
  }

  /** It is sent; now it is known what it asks. */
  sent(id: number, call: Call): void {
    const pending = this.#pending.get(id)
    if (pending !== undefined) pending.call = call
  }

  /** It failed. What was ended from here leaves no error. */
  failed(id: number, error: Error): void {
    const { call, start = 0 } = this.#pending.get(id) ?? {}
    if (call?.type !== 'read' || ['AbortError', 'ResetError', 'DisposedError'].includes(error.name)) return
    const isSoft = this.#around.isSoft()
    const expiresAt = this.#around.now() + ERROR_LENGTH
    this.#statuses.failed(call.target, {
      start,
      expiresAt,
      isSoft: isSoft === true ? error instanceof StatusError : isSoft,
    })
  }

  /** A request is over, whatever came of it. */
  end(id: number): void {
    this.#pending.delete(id)
    this.#change()
  }

  /** The moment at which an edit is completed. */
  now(): number {
    return ++this.#time
  }

  /** An answer is accepted; an edit was completed at `done`. */
  answered(id: number, call: Call, data: unknown, done: number): void {
    const start = this.#pending.get(id)?.start ?? 0
    if (call.type === 'read') this.#read(call.target, data, start)
    else if (!saysNothing(call.edit, data)) this.#learn({ ...toldByEdit(call.edit, data), start, done })
    else if (this.#pending.get(id)?.expected !== undefined) this.#keepExpected(call.edit, start, done)
  }

  /** The page itself says something: a read that starts now. */
  told(target: Target, data: unknown): void {
    this.#read(target, data, ++this.#time)
  }

  /** It writes a row: that answers no key. */
  set(id: string | number, fields: Fields): void {
    this.#learn({ ...toldByRead({ read: 'item', id }, fields), start: ++this.#time, done: undefined })
  }

  invalidated(target: Target): void {
    this.#statuses.invalidated(target, ++this.#time)
  }

  invalidatedAll(read: Target['read']): void {
    this.#statuses.invalidatedAll(read, ++this.#time)
  }

  /** What a mounted query of a read may be. */
  statuses(target: Target): readonly string[] {
    return this.#statuses.of(target, this.show(target) !== undefined, this.#around.now())
  }

  reset(): void {
    this.#facts.length = 0
    this.#pending.clear()
    this.#statuses.reset()
    this.#change()
  }

  /** What there is to show for a read; undefined if nothing. */
  show(target: Target): unknown {
    const truth = this.#look()
    if (target.read === 'stats') return truth.results.get('stats')
    if (target.read === 'item') return showItem(truth, String(target.id))
    const list = truth.lists.get(listKey(target.group))
    return list?.pks.map((pk) => showItem(truth, pk)).filter((item) => item !== undefined)
  }

  /** It grows with every change of what there is to show. */
  get version(): number {
    return this.#version
  }

  #change(): void {
    this.#visible = undefined
    this.#version++
  }

  #read(target: Target, data: unknown, start: number): void {
    this.#learn({ ...toldByRead(target, data), start, done: undefined })
    this.#statuses.answered(target, start)
  }

  #learn(fact: Fact): void {
    this.#facts.push(fact)
    this.#change()
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
