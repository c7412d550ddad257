import type { IssueChange, State } from './issues.js'

/** What is on the screen: the parts that are named. */
export interface Screen {
  /** All issues, as the server orders them or by rank. */
  readonly list?: 'plain' | 'sorted'
  /** The open ones and the closed ones, each in a list. */
  readonly states?: boolean
  /** One issue. */
  readonly detail?: number
  /** The pinned cards. */
  readonly pinned?: boolean
}

/** What a page does: requests that change something. When one ends, what is mounted shows it or is about to. */
export interface Actions {
  updateIssue(id: number, change: IssueChange): Promise<unknown>
  renameUser(id: number, name: string): Promise<unknown>
  createIssue(title: string, state: State): Promise<unknown>
  deleteIssue(id: number): Promise<unknown>
  moveIssue(id: number, state: State): Promise<unknown>
}

/** An app that is mounted, with nothing in its cache at first. */
export interface Mounted {
  readonly actions: Actions
  show(screen: Screen): void
  unmount(): void
}

/** A library in a framework. All apps render the same elements. */
export interface App {
  mount(root: HTMLElement): Mounted
}

/** Rows, cards and details that were rendered; each says so itself. */
export const rendered = { count: 0 }
