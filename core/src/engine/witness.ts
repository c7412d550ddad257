import type { ResultView } from '../table/result-view.js'
import type { Row } from '../table/row.js'

/** Somebody who must know of all that comes into use. */
export interface Witness {
  /** A row may lead to others from now on, or is younger. */
  wrote(row: Row): void
  /** Somebody begins to look. */
  looks(view: ResultView): void
}
