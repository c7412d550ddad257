import { type Edit, isCreation, rowOf } from './domain.js'
import type { Request, Server } from './server.js'

/** What the server has acknowledged: values that may be replaced by newer ones only. */
export class Ledger {
  readonly #server: Server
  /** The server's version of the last acknowledged edit, by `row field`. */
  readonly #acknowledged = new Map<string, number>()
  /** Fields that edits without an answer left a guess in, which may have been made from nothing. */
  readonly #guessed = new Set<string>()
  /** True once the page wrote values that the server never had. */
  touchedHere = false

  constructor(server: Server) {
    this.#server = server
  }

  delivered(request: Request): void {
    const { call, answer, version } = request
    if (call.type !== 'edit' || answer === undefined || 'error' in answer) return
    const { data } = answer
    const row = rowOf(call.edit, call.edit.id ?? (data as { id: string }).id)
    if (call.edit.deed === 'increment' && call.edit.answer === 'empty') this.#guessed.add(`${row} n`)
    for (const field of fieldsOf(call.edit)) this.#acknowledge(`${row} ${field}`, version)
  }

  #acknowledge(key: string, version: number): void {
    this.#acknowledged.set(key, Math.max(version, this.#acknowledged.get(key) ?? 0))
  }

  clear(): void {
    this.#acknowledged.clear()
    this.#guessed.clear()
    this.touchedHere = false
  }

  /**
   * Fields in which an item shows something older than what was acknowledged; `carried` are those that count, if not
   * all.
   */
  lost(row: string, shown: Readonly<Record<string, unknown>> | undefined, carried?: readonly string[]): string[] {
    const lost: string[] = []
    if (this.touchedHere) return lost
    for (const [key, version] of this.#acknowledged) {
      const at = key.lastIndexOf(' ')
      const field = key.slice(at + 1)
      if (key.slice(0, at) !== row || this.#guessed.has(key) || carried?.includes(field) === false) continue
      // Of a row that was deleted and created anew, older values may fill what no response has carried since.
      if (field !== '@' && this.#server.wasDeletedSince(row, version)) continue
      // What a list carries is only a part of an item.
      const value = field === '@' ? shown !== undefined : shown?.[field]
      if (field !== '@' && (shown === undefined || !Object.hasOwn(shown, field))) continue
      if (!this.#server.wasSince(row, field, value, version)) lost.push(`${field} of ${row} is ${String(value)}`)
    }
    return lost
  }
}

/** The fields that the answer to an edit tells of; an empty one tells of nothing. */
function fieldsOf(edit: Edit): string[] {
  if (edit.answer === 'empty') return edit.deed === 'delete' ? ['@'] : []
  if (isCreation(edit.deed)) return ['@', 'a', 'group']
  if (edit.deed === 'increment') return ['n']
  if (edit.deed === 'delete') return ['@']
  return edit.deed === 'patch' ? Object.keys(edit.values) : []
}
