import { placeFor } from './place-for.js'

type PlainRecord = Readonly<Record<string, unknown>>

/** Makes a shallow copy of a plain record. */
export type Copy = (record: PlainRecord) => Record<string, unknown>

/**
 * Engines remember at each place of a program which forms of objects it has met, and go a slow way there after about four: a copy
 * then costs six times as much. So there are as many places as an application may have common classes.
 */
const places: readonly Copy[] = [
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
  return placeFor(places, name)
}
