import { atom } from 'nanostores'

/** A change that the server has refused, with what somebody had written for it. */
export interface RefusedChange {
  /** What was attempted: “Renaming …”. */
  readonly wish: string
  readonly text: string
  readonly reason: string
  readonly run: () => void
}

/** Refused changes whose notices are gone. Each stays until it is tried again or discarded: nobody has to write a text twice. */
export const $refused = atom<readonly RefusedChange[]>([])

/** Takes a change out of the list. */
export function forgetRefused(change: RefusedChange): void {
  $refused.set($refused.get().filter((other) => other !== change))
}
