import { createContext, useContext } from 'react'
import type { Status, Task } from '../api/task.js'

/** The actions of the board. The object stays the same, so that handing it around renders nothing. */
export interface BoardActs {
  /** Shows a task in the detail panel. */
  choose(task: Task): void
  /** Begins to rename a task, or with undefined ends it. */
  edit(task: Task | undefined): void
  rename(task: Task, title: string): void
  /** Moves a task to the next column, or the one before. */
  shift(task: Task, by: 1 | -1): void
  /** Puts a task at an index of a column. */
  place(task: Task, status: Status, index: number): void
  remove(task: Task): void
  create(title: string, status: Status, projectId: number): void
  /** Opens the field for a new task in a column, or with undefined closes it. */
  compose(status: Status | undefined): void
  /** The wanted card has the focus now. */
  focused(): void
}

const Acts = createContext<BoardActs | undefined>(undefined)

/** Gives the acts to what is inside. */
export const ActsProvider = Acts.Provider

/** Returns the actions of the board around. */
export function useActs(): BoardActs {
  const acts = useContext(Acts)
  if (acts === undefined) throw new Error('A part of the board stands outside of ActsProvider.')
  return acts
}
