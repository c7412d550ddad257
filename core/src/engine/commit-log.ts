import { isThere, type Row } from '../table/row.js'

/** A row that shows something else after a commit. Values are records as the table holds them, with primary keys for relations. */
export interface RowChange {
  /** The `key` of the entity or of the Collection. */
  readonly kind: string
  readonly pk: string
  /** The fields whose values differ. */
  readonly fields: readonly string[]
  /** What was visible before; undefined for a row that was not there. */
  readonly before: unknown
  /** What is visible now; undefined for a row that is no longer there. */
  readonly after: unknown
}

/** How many rows of one notification are remembered one by one: the records of logs stay in memory. */
const MOST = 100

/** In development: what led to the commits of one notification, and which rows they changed, compared when somebody asks. */
export class CommitLog {
  /** The sequence numbers of requests and actions. */
  readonly causes: Set<number> = new Set()
  /** How many rows have changed; `list` has the first 100. */
  count = 0
  readonly #befores = new Map<Row, { readonly before: unknown; after: unknown }>()
  #list: readonly RowChange[] | undefined = undefined

  add(by: number, befores?: ReadonlyMap<Row, unknown>): void {
    this.causes.add(by)
    for (const [row, before] of befores ?? []) {
      // Rows of results are no rows for users.
      if (row.home.key === '') continue
      const known = this.#befores.get(row)
      if (known !== undefined) known.after = row.value
      else {
        this.count++
        if (this.#befores.size < MOST) this.#befores.set(row, { before, after: row.value })
      }
    }
  }

  get list(): readonly RowChange[] {
    this.#list ??= [...this.#befores].map(([{ home, pk }, { before, after }]) => ({
      kind: home.key,
      pk,
      fields: fieldsThatDiffer(before, after),
      before: isThere(before) ? before : undefined,
      after: isThere(after) ? after : undefined,
    }))
    return this.#list
  }
}

function fieldsThatDiffer(before: unknown, after: unknown): string[] {
  const [old, now] = [before, after].map((value) => (typeof value === 'object' && value !== null ? value : {}))
  const names = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])
  return [...names].filter((name) => Reflect.get(old ?? {}, name) !== Reflect.get(now ?? {}, name))
}
