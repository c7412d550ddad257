import { atom } from 'nanostores'

/** How the server shall behave towards this page: its `?delay=` and `?fail=`. */
export interface Switches {
  /** How long the server waits before it begins, in milliseconds; 0 for not at all. */
  readonly delay: number
  /** The status with which the server responds; 0 for the real one. */
  readonly fail: number
  /** Whether only requests that change something are meant. */
  readonly writesOnly: boolean
}

/** The positions of the switches. A reload forgets them. */
export const $switches = atom<Switches>({ delay: 0, fail: 0, writesOnly: true })

/** The address with the switches that go for a request of this method. */
export function switched(url: string, method: string): string {
  const { delay, fail, writesOnly } = $switches.get()
  if (writesOnly && method === 'GET') return url
  const extra = new URLSearchParams({ ...(delay > 0 && { delay: `${delay}` }), ...(fail > 0 && { fail: `${fail}` }) })
  if (extra.size === 0) return url
  return `${url}${url.includes('?') ? '&' : '?'}${extra}`
}
