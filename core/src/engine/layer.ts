import type { Change } from '../table/change.js'
import type { RowSource } from '../table/fresh.js'
import { extrasOf, type Row, type Writer } from '../table/row.js'
import type { Kind } from '../table/table.js'

/**
 * The optimistic response of one pending mutation: a function of what is below it. It is run again when something that it read, wrote
 * or skipped changes there, and is removed when the mutation settles.
 */
export class Layer implements Writer {
  /** The request's own id. */
  readonly id: number
  readonly start: number
  /** What the layer writes over these rows; undefined if nothing. It never throws. */
  readonly make: (source: RowSource) => Change | undefined
  /** Takes what a user's function threw while the layer was run. */
  readonly failed: (error: Error) => void
  dirty = true
  /** True until it was run once. */
  isNew = true
  /** What went wrong when it was first run: then the mutation is not sent. */
  error: Error | undefined = undefined
  writes: Set<Row> = new Set()
  readonly reads: Set<Row> = new Set()
  /** Kinds of lists whose members it changed, and kinds of rows that it searched. */
  readonly #watches = new Set<Pick<Kind, 'watchingLayers'>>()

  constructor(start: number, make: (source: RowSource) => Change | undefined, report: (error: Error) => void) {
    this.id = start
    this.start = start
    this.make = make
    this.failed = (error) => {
      if (this.isNew) this.error ??= error
      else report(error)
    }
  }

  /** Notes that the layer read a row, or skipped it. */
  read(row: Row): void {
    this.reads.add(row)
    const extras = extrasOf(row)
    extras.readers ??= new Set()
    extras.readers.add(this)
  }

  watch(kind: Pick<Kind, 'watchingLayers'>): void {
    kind.watchingLayers.add(this)
    this.#watches.add(kind)
  }

  /** Begins anew: it depends on nothing and has written nothing. Returns the rows that it wrote before; their values stay. */
  begin(): ReadonlySet<Row> {
    const { writes } = this
    for (const row of this.reads) row.extras?.readers?.delete(this)
    for (const kind of this.#watches) kind.watchingLayers.delete(this)
    this.writes = new Set()
    this.reads.clear()
    this.#watches.clear()
    return writes
  }
}
