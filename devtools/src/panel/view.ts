import type { Session } from '../session.js'
import type { LogEvent } from '../story.js'

/** The members of the panel that its views use. */
export interface PanelHost {
  readonly session: Session
  /** The text of the search field, in lower case. */
  readonly search: string
  /** Goes to a row in the table. */
  goToRow(kind: string, pk: string): void
  /** Goes to an event in the timeline by the `id` of its request or action. */
  goToEvent(id: number): void
  /** Goes to an event of the timeline. */
  goToCommit(event: LogEvent): void
  /** Shows the result of an action in one line. */
  say(text: string): void
}

/** One of the panel's views. */
export interface PanelView {
  readonly element: HTMLElement
  /** Reads the session again. Called at most once in a frame, while it is shown. */
  update(): void
}
