import { equal } from './equal.js'

type PlainRecord = Readonly<Record<string, unknown>>

/**
 * One of several places of a program that do the same, chosen by a name: each then meets the objects of few names.
 *
 * @example placeFor([() => 1, () => 1], 'Todo')() // 1
 */
export function placeFor<Place>(places: readonly Place[], name: string): Place {
  let sum = 0
  for (let i = 0; i < name.length; i++) sum = (sum * 31 + name.charCodeAt(i)) % 65_521
  // The index is always one of the list.
  return places[sum % places.length] as Place
}

/** Makes a shallow copy of a plain record. */
export type Copy = (record: PlainRecord) => Record<string, unknown>

/**
 * Engines remember at each place of a program which forms of objects it has met, and go a slow way there after about four: a copy
 * then costs six times as much. So there are as many places as an application may have common classes.
 */
const copies: readonly Copy[] = [
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
]

/**
 * A place of the program that copies records for this name; few others share it.
 *
 * @example copierFor('Todo')({ id: '5' }) // { id: '5' }
 */
export function copierFor(name: string): Copy {
  return placeFor(copies, name)
}

/** True if two records have the same fields, and equal values where they are compared. */
export type Compare = (a: PlainRecord, b: PlainRecord) => boolean

/** As many names as a place compares; where there are fewer, one stands again and again. */
type Names = readonly [...Six, ...Six]
type Six = readonly [string, string, string, string, string, string]
const WIDTH = 12

/**
 * Engines remember at each place of a program which field of which form of objects was read there, and go a slow way where these
 * change: comparing a dozen fields then costs twice as much. So this is a table: a column for each field, and as many rows as an
 * application may have common classes.
 */
// biome-ignore format: a row is a line
const places: readonly ((a: PlainRecord, b: PlainRecord, f: Names) => boolean)[] = [
  (a, b, f) => a[f[0]] === b[f[0]] && a[f[1]] === b[f[1]] && a[f[2]] === b[f[2]] && a[f[3]] === b[f[3]] && a[f[4]] === b[f[4]] && a[f[5]] === b[f[5]] && a[f[6]] === b[f[6]] && a[f[7]] === b[f[7]] && a[f[8]] === b[f[8]] && a[f[9]] === b[f[9]] && a[f[10]] === b[f[10]] && a[f[11]] === b[f[11]],
  (a, b, f) => a[f[0]] === b[f[0]] && a[f[1]] === b[f[1]] && a[f[2]] === b[f[2]] && a[f[3]] === b[f[3]] && a[f[4]] === b[f[4]] && a[f[5]] === b[f[5]] && a[f[6]] === b[f[6]] && a[f[7]] === b[f[7]] && a[f[8]] === b[f[8]] && a[f[9]] === b[f[9]] && a[f[10]] === b[f[10]] && a[f[11]] === b[f[11]],
  (a, b, f) => a[f[0]] === b[f[0]] && a[f[1]] === b[f[1]] && a[f[2]] === b[f[2]] && a[f[3]] === b[f[3]] && a[f[4]] === b[f[4]] && a[f[5]] === b[f[5]] && a[f[6]] === b[f[6]] && a[f[7]] === b[f[7]] && a[f[8]] === b[f[8]] && a[f[9]] === b[f[9]] && a[f[10]] === b[f[10]] && a[f[11]] === b[f[11]],
  (a, b, f) => a[f[0]] === b[f[0]] && a[f[1]] === b[f[1]] && a[f[2]] === b[f[2]] && a[f[3]] === b[f[3]] && a[f[4]] === b[f[4]] && a[f[5]] === b[f[5]] && a[f[6]] === b[f[6]] && a[f[7]] === b[f[7]] && a[f[8]] === b[f[8]] && a[f[9]] === b[f[9]] && a[f[10]] === b[f[10]] && a[f[11]] === b[f[11]],
  (a, b, f) => a[f[0]] === b[f[0]] && a[f[1]] === b[f[1]] && a[f[2]] === b[f[2]] && a[f[3]] === b[f[3]] && a[f[4]] === b[f[4]] && a[f[5]] === b[f[5]] && a[f[6]] === b[f[6]] && a[f[7]] === b[f[7]] && a[f[8]] === b[f[8]] && a[f[9]] === b[f[9]] && a[f[10]] === b[f[10]] && a[f[11]] === b[f[11]],
  (a, b, f) => a[f[0]] === b[f[0]] && a[f[1]] === b[f[1]] && a[f[2]] === b[f[2]] && a[f[3]] === b[f[3]] && a[f[4]] === b[f[4]] && a[f[5]] === b[f[5]] && a[f[6]] === b[f[6]] && a[f[7]] === b[f[7]] && a[f[8]] === b[f[8]] && a[f[9]] === b[f[9]] && a[f[10]] === b[f[10]] && a[f[11]] === b[f[11]],
  (a, b, f) => a[f[0]] === b[f[0]] && a[f[1]] === b[f[1]] && a[f[2]] === b[f[2]] && a[f[3]] === b[f[3]] && a[f[4]] === b[f[4]] && a[f[5]] === b[f[5]] && a[f[6]] === b[f[6]] && a[f[7]] === b[f[7]] && a[f[8]] === b[f[8]] && a[f[9]] === b[f[9]] && a[f[10]] === b[f[10]] && a[f[11]] === b[f[11]],
  (a, b, f) => a[f[0]] === b[f[0]] && a[f[1]] === b[f[1]] && a[f[2]] === b[f[2]] && a[f[3]] === b[f[3]] && a[f[4]] === b[f[4]] && a[f[5]] === b[f[5]] && a[f[6]] === b[f[6]] && a[f[7]] === b[f[7]] && a[f[8]] === b[f[8]] && a[f[9]] === b[f[9]] && a[f[10]] === b[f[10]] && a[f[11]] === b[f[11]],
]

/**
 * A place of the program that compares records for this name; few others share it.
 *
 * @param skipped - Fields whose values do not matter.
 * @example comparerFor('Todo', new Set())({ id: '5', tags: ['a'] }, { id: '5', tags: ['a'] }) // true
 */
export function comparerFor(name: string, skipped: ReadonlySet<string>): Compare {
  const place = placeFor(places, name)
  let form = formOf({}, skipped)
  // Records mostly have the form of the one before; where they do not, learning each would cost more than it spares.
  let misses = LATE
  return (a, b) => {
    if (hasJust(b, form.fields)) misses = 0
    else if (++misses > LATE) {
      misses = 0
      form = formOf(b, skipped)
    }
    if (misses > 0 || !form.isWide || !hasJust(a, form.fields)) return compare(a, b, skipped)
    return (
      (place(a, b, form.simple) && (form.others.length === 0 || sameIn(form.others, a, b))) || compare(a, b, skipped)
    )
  }
}

/** So many records in a row have another form before theirs is learnt. */
const LATE = 16

/** The fields of a record, in their order, and how they are compared. */
interface Form {
  readonly fields: readonly string[]
  /** The first of those that hold no objects: each has a place. */
  readonly simple: Names
  readonly others: readonly string[]
  /** False where a loop is as fast. */
  readonly isWide: boolean
}

function formOf(record: PlainRecord, skipped: ReadonlySet<string>): Form {
  const fields = Object.keys(record)
  const compared = fields.filter((field) => !skipped.has(field))
  const simple = compared.filter((field) => !isObject(record[field])).slice(0, WIDTH)
  const others = compared.filter((field) => !simple.includes(field))
  return { fields, simple: namesOf(simple), others, isWide: simple.length > WIDTH / 2 }
}

function sameIn(fields: readonly string[], a: PlainRecord, b: PlainRecord): boolean {
  return fields.every((field) => equal(a[field], b[field]))
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function namesOf(fields: readonly string[]): Names {
  const first = fields[0] ?? ''
  // There are as many as a place takes.
  return Array.from({ length: WIDTH }, (_, i) => fields[i] ?? first) as unknown as Names
}

/** The same for records of any form, or that really differ. */
function compare(a: PlainRecord, b: PlainRecord, skipped: ReadonlySet<string>): boolean {
  // An answer that carries only some of the fields is known by their number.
  let more = 0
  for (const _ in b) more++
  for (const _ in a) more--
  if (more !== 0) return false
  for (const field in b) {
    const held = a[field]
    const inner = b[field]
    if (held !== inner && !skipped.has(field) && !equal(held, inner)) return false
    if (held === undefined && !Object.hasOwn(a, field)) return false
  }
  return true
}

/**
 * True if a record has these fields in this order, and no others.
 *
 * @example hasJust({ id: '5', title: 'a' }, ['id', 'title']) // true
 */
export function hasJust(record: Readonly<Record<string, unknown>>, fields: readonly string[]): boolean {
  let at = 0
  for (const field in record) if (field !== fields[at++]) return false
  return at === fields.length
}
