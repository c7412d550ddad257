import type { Controller } from '@roundtable/core'

/** What the component takes in which `renderDataRune` calls its function. */
export interface StageProps {
  readonly controller: Controller
  /** Calls the function; `show` hears of what there is to look at. */
  readonly run: (show: (value: unknown) => void) => void
}
