import { BadInput, type Issue } from '../http/errors.js'
import type { Field, ValueOf } from './field.js'

/** The fields of an object, by name. */
export type Shape = Readonly<Record<string, Field<unknown>>>

/** The values that a shape reads. */
export type Values<S extends Shape> = { [Name in keyof S]: ValueOf<S[Name]> }

/**
 * Reads an object in which every field of the shape must be in order, and no other name occurs.
 *
 * @throws BadInput with one issue for each field that is not in order.
 */
export function readWhole<S extends Shape>(shape: S, input: Record<string, unknown>): Values<S> {
  return read(shape, Object.keys(shape), input)
}

/**
 * Reads only the fields that the input has, as PATCH does; at least one.
 *
 * @throws BadInput with one issue for each field that is not in order, or when there is none.
 */
export function readPart<S extends Shape>(shape: S, input: Record<string, unknown>): Partial<Values<S>> {
  const present = Object.keys(shape).filter((name) => Object.hasOwn(input, name))
  const values = read(shape, present, input)
  if (present.length === 0) {
    throw new BadInput([{ path: '', message: `names none of ${Object.keys(shape).join(', ')}` }])
  }
  return values
}

/**
 * Reads a query string. A name that occurs twice is an issue, as is one that the shape lacks.
 *
 * @throws BadInput with one issue for each parameter that is not in order.
 */
export function readQuery<S extends Shape>(shape: S, query: URLSearchParams): Values<S> {
  const repeated = [...new Set(query.keys())].filter((name) => query.getAll(name).length > 1)
  if (repeated.length > 0) {
    throw new BadInput(repeated.map((path) => ({ path, message: 'is given more than once' })))
  }
  return readWhole(shape, Object.fromEntries(query))
}

function read<S extends Shape>(shape: S, names: string[], input: Record<string, unknown>): Values<S> {
  const issues: Issue[] = unknownNames(shape, input)
  const values: Record<string, unknown> = {}
  for (const name of names) {
    const outcome = shape[name]?.(Object.hasOwn(input, name) ? input[name] : undefined)
    if (outcome === undefined) continue
    if ('problem' in outcome) issues.push({ path: name, message: outcome.problem })
    else values[name] = outcome.value
  }
  if (issues.length > 0) throw new BadInput(issues)
  // Each name was read by its own field; TypeScript cannot follow that through the loop.
  return values as Values<S>
}

function unknownNames(shape: Shape, input: Record<string, unknown>): Issue[] {
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(shape, name))
  return unknown.map((path) => ({ path, message: `is not known here; known are ${Object.keys(shape).join(', ')}` }))
}
