import { atom } from 'nanostores'

/** A change that the server refused, with the text that the user had entered. */
export interface RefusedChange {
  /** The attempted action: “Renaming …”. */
  readonly wish: string
  readonly text: string
  readonly reason: string
  readonly run: () => void
}

/**
 * Refused changes whose notices have disappeared. Each stays until it is retried or discarded, so that no text has to
 * be written twice.
 */
export const $refused = atom<readonly RefusedChange[]>([])

/** Takes a change out of the list. */
export function forgetRefused(change: RefusedChange): void {
  $refused.set($refused.get().filter((other) => other !== change))
}
