import { atom } from 'nanostores'

/** Whether the list of the changes that wait is open. */
export const $isListOpen = atom(false)
