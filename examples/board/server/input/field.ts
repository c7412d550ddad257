/** The result of reading a raw value: the value, or the problem with it in words. */
export type Outcome<T> = { readonly value: T } | { readonly problem: string }

/** Reads one raw value from outside. A missing value arrives as `undefined`. */
export type Field<T> = (raw: unknown) => Outcome<T>

/** The value of a field. */
export type ValueOf<F> = F extends Field<infer T> ? T : never

const LARGEST_ID = 2_147_483_647

/** A string of `least` to `most` characters, counted after the white space at both ends is cut. */
export function text(least: number, most: number): Field<string> {
  return (raw) => {
    if (typeof raw !== 'string') return { problem: expected('a text', raw) }
    if (!isStorable(raw)) return { problem: 'holds a character that cannot be stored' }
    const value = raw.trim()
    if (value.length < least) return { problem: least === 1 ? 'is empty' : `is shorter than ${least} characters` }
    if (value.length > most) return { problem: `is longer than ${most} characters` }
    return { value }
  }
}

/** The id of a row as a JSON number. */
export const id: Field<number> = (raw) =>
  isId(raw) ? { value: raw } : { problem: expected('a positive whole number', raw) }

/** Any number that JSON can carry, up to 10¹⁵ either way. */
export const number: Field<number> = (raw) => {
  if (typeof raw !== 'number') return { problem: expected('a number', raw) }
  return Math.abs(raw) <= 1e15 ? { value: raw } : { problem: 'is too large' }
}

/** A day of the calendar as `YYYY-MM-DD`. */
export const day: Field<string> = (raw) =>
  typeof raw === 'string' && isDay(raw) ? { value: raw } : { problem: expected('a date as YYYY-MM-DD', raw) }

/** A point in time as a timestamp in UTC: `2026-03-02T10:00:00.000Z`. */
export const instant: Field<string> = (raw) =>
  typeof raw === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(raw) && !Number.isNaN(Date.parse(raw))
    ? { value: raw }
    : { problem: 'must be a point in time' }

/** One of the given words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Field<Word> {
  return (raw) => {
    const value = words.find((word) => word === raw)
    return value === undefined ? { problem: expected(`one of ${words.join(', ')}`, raw) } : { value }
  }
}

/** Lets `null` pass beside what the field reads. */
export function nullable<T>(field: Field<T>): Field<T | null> {
  return (raw) => (raw === null ? { value: null } : field(raw))
}

/** Lets the value be missing. */
export function optional<T>(field: Field<T>): Field<T | undefined> {
  return (raw) => (raw === undefined ? { value: undefined } : field(raw))
}

/** Stands in for a missing value. */
export function withDefault<T>(field: Field<T>, value: T): Field<T> {
  return (raw) => (raw === undefined ? { value } : field(raw))
}

/** A whole number between `least` and `most` written in digits, as in a query string. */
export function digits(least: number, most: number): Field<number> {
  return (raw) => {
    const value = typeof raw === 'string' && /^\d{1,10}$/.test(raw) ? Number(raw) : Number.NaN
    if (value >= least && value <= most) return { value }
    return { problem: expected(`a whole number from ${least} to ${most}`, raw) }
  }
}

/** The id of a row written in digits. */
export const idDigits: Field<number> = digits(1, LARGEST_ID)

/** Several values of one field, parted by commas. */
export function list<T>(field: Field<T>): Field<T[]> {
  return (raw) => {
    const value: T[] = []
    for (const part of String(raw).split(',')) {
      const outcome = field(part)
      if ('problem' in outcome) return outcome
      value.push(outcome.value)
    }
    return { value }
  }
}

function isId(raw: unknown): raw is number {
  return Number.isInteger(raw) && Number(raw) >= 1 && Number(raw) <= LARGEST_ID
}

function isDay(raw: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(raw)) return false
  const date = new Date(`${raw}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(raw)
}

// PostgreSQL refuses U+0000, and half of a surrogate pair has no UTF-8.
function isStorable(raw: string): boolean {
  return !raw.includes('\0') && !/\p{Surrogate}/u.test(raw)
}

function expected(what: string, raw: unknown): string {
  return raw === undefined ? 'is missing' : `must be ${what}`
}
