import type { Change } from '../table/change.js'
import type { Row } from '../table/row.js'
import type { ResponseInfo } from '../table/value.js'
import type { ReadList, ReadState } from './read-state.js'

/** A request to hydrate a state. */
export interface HydrationRequest {
  /** @throws HydrationError if the state cannot be used */
  readonly read: () => ReadState
  /** How long the state was stored elsewhere, in ms; by default 0. */
  readonly age?: number | undefined
  /** The last sequence number before the state was requested; by default 0, before everything that happens here. */
  readonly since?: number | undefined
  readonly isRendering?: boolean | undefined
  /** True for a state that this device has stored: a rendered state is newer, and no page was rendered with this one. */
  readonly isStored?: boolean
  /**
   * For a state that another tab has stored, returns the position of each response in the order of this tab: the number that
   * it follows or its exact start, and the completion of a mutation, or else 0.
   */
  readonly placeOf?: (response: number) => {
    readonly since: number
    readonly start?: number | undefined
    readonly done: number
  }
  /** Returns a change to which the rows and lists of a response are added. */
  readonly changeOf?: (response: number, info: ResponseInfo) => Change
  /** Decides about lists and results that the store has, too. */
  readonly rival?: Rival
}

/**
 * Decides about lists and results that the store has, too: when they are placed, which may be long after their state
 * was added.
 */
export interface Rival {
  /** Returns true for a list that is newer in the store, although its last response is older. */
  isNewer(list: Row, members: ReadList['members'], info: ResponseInfo): boolean
  /** Called with lists that the store does not have, before they are written. */
  onNew(list: Row, info: ResponseInfo): void
  /**
   * Called with lists and results that are older than the data in the store, after everything else was written.
   *
   * @param isQuiet - true if no reader has shown the list yet, and no listener may be called
   */
  onOlder(row: Row, value: unknown, isQuiet: boolean): void
}
