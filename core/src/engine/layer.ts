import type { Change } from '../table/change.js'
import type { Outlook } from '../table/fresh.js'
import type { Row, Writer } from '../table/row.js'
import type { Kind } from '../table/table.js'

/**
 * One pending mutation's optimistic answer: a function of what is below it. It is run again when something that it read, wrote or
 * declined to write changes there, and goes when the mutation settles.
 */
export class Layer implements Writer {
  /** The request's own id. */
  readonly id: number
  readonly start: number
  /** What the layer says on top of this outlook; undefined if it says nothing. It never throws. */
  readonly make: (outlook: Outlook) => Change | undefined
  /** Hears what a user's function threw while the layer was run. */
  readonly failed: (error: Error) => void
  dirty = true
  /** True until it was run once. */
  isNew = true
  /** What went wrong when it was first run: then the mutation is not sent. */
  error: Error | undefined = undefined
  readonly writes: Set<Row> = new Set()
  readonly reads: Set<Row> = new Set()
  /** Kinds of lists in which it changed who is there, and kinds of rows that it looked through. */
  readonly watches: Set<Pick<Kind, 'watchers'>> = new Set()

  constructor(start: number, make: (outlook: Outlook) => Change | undefined, report: (error: Error) => void) {
    this.id = start
    this.start = start
    this.make = make
    this.failed = (error) => {
      if (this.isNew) this.error ??= error
      else report(error)
    }
  }
}
