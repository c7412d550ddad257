import type { Cause } from '@roundtable/core'
import {
  Board,
  type Call,
  type Edit,
  guess,
  Item,
  type Lists,
  Note,
  Owner,
  StatusError,
  type Target,
} from '../domain.js'
import { argsFor, countedUp } from '../endpoints.js'
import { type Fact, type Fields, itemRow, listKey, type Told, toldByEdit, toldByRead } from './facts.js'
import { Statuses } from './statuses.js'
import { Truth } from './truth.js'

/** What the model asks of the world. */
export interface Surroundings {
  /** Wall clock in ms. */
  now(): number
  /** Monotonic clock in ms. */
  mono(): number
  /**
   * Whether what was begun for this reason leaves on the screen what is there if it fails; undefined if that depends on
   * who else waits.
   */
  isSoft(cause: Cause | undefined): boolean | undefined
  /** The Collections in use. */
  readonly lists: Lists
  /** Lists of items know by themselves who is in them, and in which order. */
  readonly keeps: boolean
  /** What is mounted forgets its errors when the network is back. */
  readonly dropsErrors: boolean
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
  /** True once it could be told what that would bring. */
  isTold: boolean
}

/**
 * A naive second opinion on what the table shows: a list of facts that only grows, and the edits that are pending. Each
 * look folds all facts anew.
 */
export class Model {
  readonly #facts: Fact[] = []
  readonly #pending = new Map<number, Pending>()
  readonly #statuses = new Statuses()
  /** When the deletion of a row was answered last, by the monotonic clock. */
  readonly #deleted = new Map<string, number>()
  readonly #around: Surroundings
  #time = 0
  #visible: Truth | undefined
  #version = 0

  constructor(around: Surroundings) {
    this.#around = around
  }

  /** A request starts. */
  begin(id: number, expected: Edit | undefined): void {
    this.#pending.set(id, { id, start: ++this.#time, call: undefined, expected, isTold: false })
    this.#change()
  }

  /** It is sent; now it is known what it asks. */
  sent(id: number, call: Call): void {
    const pending = this.#pending.get(id)
    if (pending !== undefined) pending.call = call
  }

  /** It failed. What was ended from here leaves no error; an edit may have been applied all the same. */
  failed(id: number, error: Error, cause: Cause): void {
    const { call, start = 0 } = this.#pending.get(id) ?? {}
    if (call?.type === 'edit') this.expired()
    if (call?.type !== 'read' || ['AbortError', 'ResetError', 'DisposedError'].includes(error.name)) return
    const { target } = call
    const isGone = error instanceof StatusError && error.status === 404
    // Asked whether a deletion came last, the server says so.
    if (target.read === 'item' && cause.type === 'contested' && isGone)
      this.#learn({ says: [{ row: itemRow(target.id), fields: 'deleted' }], lists: [], start, done: undefined })
    this.#fail(target, error, start, cause)
  }

  /** The page itself says that a read has failed: one that starts now. */
  toldError(target: Target, error: Error): void {
    this.#fail(target, error, ++this.#time)
  }

  #fail(target: Target, error: Error, start: number, cause?: Cause): void {
    const isSoft = this.#around.isSoft(cause)
    this.#statuses.failed(target, {
      start,
      expiresAt: this.#around.now() + ERROR_LENGTH,
      monoExpiresAt: this.#around.mono() + ERROR_LENGTH,
      error,
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
    if (call.type === 'edit') this.#statuses.expired(done)
    if (call.type === 'read') this.#read(call.target, data, start)
    else {
      this.#look()
      const { expected, isTold = false } = this.#pending.get(id) ?? {}
      const isOptimistic = expected !== undefined
      const names = namesIn(call.edit, isTold)
      if (!saysNothing(call.edit, data)) this.#learn({ ...counted(call.edit, data), start, done, names })
      else if (isOptimistic) this.#keepExpected(call.edit, { start, done, names })
      // The edit itself says where the item goes.
      else if (call.edit.deed === 'move') this.#learn({ ...counted(call.edit, data), start, done, names })
    }
  }

  /** What an answer tells beside itself is a read that was sent together with its request. */
  toldBeside(id: number, target: Target, data: unknown): void {
    this.#read(target, data, this.#pending.get(id)?.start ?? 0)
  }

  /** The page itself says something: a read that starts now. */
  told(target: Target, data: unknown): void {
    this.expired()
    this.#read(target, data, this.#time)
  }

  /** It writes a row: that answers no key. */
  set(id: string | number, fields: Fields): void {
    this.expired()
    this.#learn({ ...toldByRead({ read: 'item', id }, fields), start: this.#time, done: undefined })
  }

  invalidated(target: Target): void {
    this.#statuses.invalidated(target, ++this.#time)
  }

  /** Everything that shows a row, or any of its kind, may have to be fetched again. */
  invalidatedBy(): void {
    this.#statuses.invalidatedBy(++this.#time)
  }

  /** Something that is shown may have to be fetched again: it was expired, or written while it was being fetched. */
  expired(): void {
    this.#statuses.expired(++this.#time)
  }

  /** An error is forgotten wherever it was. */
  dropped(error: Error): void {
    this.#statuses.dropped(error)
  }

  invalidatedAll(read: Target['read']): void {
    this.#statuses.invalidatedAll(read, ++this.#time)
  }

  /** What a mounted query of a read may be. */
  statuses(target: Target): readonly string[] {
    return this.#statuses.of(target, this.show(target) !== undefined, this.#around)
  }

  /** True if the answer to a read is older than so many ms. */
  isOver(target: Target, length: number): boolean {
    return this.#statuses.isOver(target, length, this.#around)
  }

  /**
   * The deletion of the row that a read shows, if there is nothing else to show: when it succeeded, by the monotonic
   * clock, or without a time while it is pending. Only edits delete.
   */
  deletion(target: Target): { readonly at?: number | undefined } | undefined {
    if (target.read !== 'item') return undefined
    const row = itemRow(target.id)
    if (this.#look().rows.get(row) !== 'deleted') return undefined
    const isDone = Truth.of(this.#facts, this.#around.keeps).rows.get(row) === 'deleted'
    return { at: isDone ? this.#deleted.get(row) : undefined }
  }

  /** What the last error of a read may be. */
  errors(target: Target): readonly (Error | undefined)[] {
    return this.#statuses.errorsOf(target, this.show(target) !== undefined, this.#around.dropsErrors)
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
    if (target.read === 'item') return showItem(truth, itemRow(target.id))
    if (target.read === 'page') return undefined
    if (target.read === 'board') return showBoard(truth, target.group, target.league)
    if (target.read === 'scores') return showScores(truth, target.league)
    return target.read === 'box'
      ? this.#showBox(truth, target.group)
      : showList(truth, listKey(target.read, target.group))
  }

  #showBox(truth: Truth, group: string): unknown {
    const fields = truth.rows.get(`Box ${group}`)
    if (fields === undefined || fields === 'deleted') return undefined
    const { Box } = this.#around.lists
    // What is known of a box are its lists' names.
    const [items, own] = [fields.items, fields.own].map((key) => showList(truth, key as string))
    return Object.assign(new (Box as unknown as new () => object)(), fields, { items, own })
  }

  /** The items with these ids, as far as they are known. */
  itemsOf(ids: readonly string[]): readonly (Item | Note)[] {
    const truth = this.#look()
    return ids.map((id) => showItem(truth, itemRow(id))).filter((item) => item !== undefined)
  }

  /** Every item that is known. */
  items(): readonly unknown[] {
    const truth = this.#look()
    return [...truth.rows.keys()]
      .filter((row) => row.startsWith('Item '))
      .map((row) => showItem(truth, row))
      .filter((item) => item !== undefined)
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
    this.#statuses.answered(target, start, this.#around)
  }

  #learn(fact: Fact): void {
    for (const { row, fields } of fact.says) {
      if (fields !== 'deleted' || fact.done === undefined) continue
      // Readers of what is gone already are told of nothing by another deletion.
      const wasDeleted = Truth.of(this.#facts, this.#around.keeps).rows.get(row) === 'deleted'
      if (!wasDeleted) this.#deleted.set(row, this.#around.mono())
    }
    this.#facts.push(fact)
    this.#change()
  }

  /** An edit that was answered without a body: what was expected of rows that have a key is what is known. */
  #keepExpected(edit: Edit, place: Pick<Fact, 'start' | 'done' | 'names'>): void {
    if (edit.id === undefined) return
    const base = Truth.of(this.#facts, this.#around.keeps)
    const expected = guess(edit, (id) => showItem(base, itemRow(id)) as Item)
    if (expected !== undefined) this.#learn({ ...toldByEdit(edit, expected), ...place })
  }

  /** All facts, and on top of them what pending edits are expected to say, in the order of their starts. */
  #look(): Truth {
    if (this.#visible !== undefined) return this.#visible
    const truth = new Truth(this.#around.keeps, Truth.of(this.#facts, this.#around.keeps))
    for (const pending of this.#pending.values()) {
      const { id, start, expected } = pending
      if (expected === undefined) continue
      const answer = guess(expected, (of) => showItem(truth, itemRow(of)) as Item)
      if (answer === undefined) continue
      pending.isTold = true
      const whole = expected.id === undefined ? { ...answer, id: `optimistic:${id}` } : answer
      truth.expect(counted(expected, whole), start)
    }
    this.#visible = truth
    return truth
  }
}

/** The fields that an edit names. */
function namesIn(edit: Edit, isTold: boolean): ReadonlySet<string> | undefined {
  // A deletion decides on all of them.
  if (edit.deed === 'delete') return undefined
  const expected = isTold ? guess(edit, () => ({ n: 0 }) as Item) : undefined
  const rows = edit.deed === 'assign' ? Object.values(expected ?? {}) : [expected ?? {}]
  return new Set([argsFor(edit).at(-1) as object, ...rows].flatMap((fields) => Object.keys(fields)))
}

/** Deletions and removals need no body: their arguments name the item. */
function saysNothing(edit: Edit, data: unknown): boolean {
  return data === null && edit.deed !== 'delete' && edit.deed !== 'remove'
}

/** What an edit says, with what the client counts by itself. */
function counted(edit: Edit, data: unknown): Told {
  return { ...toldByEdit(edit, data), result: edit.counts === true ? countedUp : undefined }
}

function showBoard(truth: Truth, group: string, league: string): unknown {
  const fields = truth.rows.get(`Board ${group}`)
  if (typeof fields !== 'object') return undefined
  return Object.assign(new Board(), fields, scoreOf(truth, group, league))
}

function showScores(truth: Truth, league: string): unknown {
  const scores = truth.rows.get(`Scores ${league}`)
  if (typeof scores !== 'object') return undefined
  return Object.fromEntries((scores.groups as readonly string[]).map((group) => [group, scoreOf(truth, group, league)]))
}

function scoreOf(truth: Truth, group: string, league: string): object | undefined {
  const score = truth.rows.get(`Score ${league} ${group}`)
  return typeof score === 'object' ? { ...score } : undefined
}

function showList(truth: Truth, key: string): unknown {
  const list = truth.lists.get(key)
  if (list === undefined) return undefined
  const shown = list.members.map((row) => showItem(truth, row)).filter((item) => item !== undefined)
  return list.kind === 'map' ? Object.fromEntries(shown.map((item) => [String(item.id), item])) : shown
}

/** An item or a note as it is shown: what is not known is as in an empty one. */
function showItem(truth: Truth, row: string): Item | Note | undefined {
  const fields = truth.rows.get(row)
  if (fields === undefined || fields === 'deleted') return undefined
  if (row.startsWith('Note ')) return Object.assign(new Note(), fields)
  const owner = fields.owner === undefined ? undefined : truth.rows.get(fields.owner as string)
  const shownOwner = typeof owner === 'object' ? Object.assign(new Owner(), owner) : undefined
  return Object.assign(new Item(), fields, { owner: shownOwner })
}
