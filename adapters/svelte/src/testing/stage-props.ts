import type { Controller } from '@roundtable/core'

/** The props of the component in which `renderDataRune` calls its function. */
export interface StageProps {
  readonly controller: Controller
  /** Calls the function and passes its result to `show`. */
  readonly run: (show: (value: unknown) => void) => void
}
