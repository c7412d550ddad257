const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

const DAY = 86_400_000

/** The day of a moment, in UTC: `2026-03-02`. */
export function dayOf(time: number | Date): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** A day as people write it: `2 Mar`. */
export function shortDay(iso: string): string {
  return day.format(new Date(`${iso.slice(0, 10)}T00:00:00Z`))
}

/** A moment as people write it: `2 Mar, 10:42`. */
export function shortMoment(iso: string): string {
  return moment.format(new Date(iso))
}

/** The time of day: `10:42:07`. */
export function timeOfDay(date: Date): string {
  return clock.format(date)
}

/** How long ago a moment is: `now`, `5 min`, `3 h`, then its day. */
export function ago(iso: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : shortDay(iso)
}

/** The number of days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY)
}

/** The day so many days later. */
export function addDays(iso: string, days: number): string {
  return dayOf(Date.parse(iso) + days * DAY)
}
