import { atom } from 'nanostores'

const KEY = 'board.live'

/** Whether the server pushes changes instead of being polled. The setting survives a reload, and other tabs follow it. */
export const $isLive = atom(stored())

$isLive.listen((isLive) => {
  try {
    if (isLive) localStorage.setItem(KEY, 'yes')
    else localStorage.removeItem(KEY)
  } catch {
    // A page that may keep nothing forgets the choice.
  }
})
addEventListener('storage', ({ key, newValue }) => {
  if (key === KEY) $isLive.set(newValue !== null)
})

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}
