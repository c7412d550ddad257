import { defineMember } from '../util/plain.js'
import type { RowRecord } from './schema.js'

/** A class whose instances can be created; the library passes no arguments to its constructor. */
interface Constructor<Instance> {
  readonly prototype: Instance
}

/**
 * Creates an instance with these fields on top of the class's defaults. The fields of the record override getters of the
 * class; a field named `__proto__` stays data.
 *
 * @example makeInstance(Todo, { id: '5' }) instanceof Todo // true
 */
export function makeInstance<Instance>(entity: Constructor<Instance>, record: RowRecord): Instance {
  return maker(entity)(record)
}

/** Creates instances of one class. */
export type Maker<Instance> = (record: RowRecord) => Instance

/** The cached makers of each class, which are collected together with the class. */
const makers = new WeakMap<object, Maker<unknown>>()

/** Returns the function that creates instances of a class as `makeInstance` does. */
export function maker<Instance>(entity: Constructor<Instance>): Maker<Instance> {
  // The maker was created for this class.
  const cached = makers.get(entity) as Maker<Instance> | undefined
  if (cached !== undefined) return cached
  const names = accessorsOf(entity)
  // An entity class may be abstract and may declare any parameters, but it is constructed without arguments.
  const Class = entity as unknown as new () => Instance & object
  const make = (record: RowRecord): Instance => {
    const instance = new Class()
    for (let i = 0; i < names.length; i++) {
      if (Object.hasOwn(record, names[i] as string)) return defineAll(instance, record)
    }
    return Object.assign(instance, record)
  }
  makers.set(entity, make)
  return make
}

/** Defines fields, since an assignment would run an accessor, such as `__proto__`. */
function defineAll<Instance extends object>(instance: Instance, record: RowRecord): Instance {
  for (const field of Object.keys(record)) defineMember(instance, field, record[field])
  return instance
}

/** The cached defaults of each class, which are collected together with the class. */
const defaults = new WeakMap<object, RowRecord>()

/**
 * The fields of an empty instance, computed once for each class; none if its constructor throws without arguments.
 *
 * @example defaultsOf(Todo) // { id: '', title: '' }
 */
export function defaultsOf(entity: Constructor<unknown>): RowRecord {
  const cached = defaults.get(entity)
  if (cached !== undefined) return cached
  const found = Object.freeze(findDefaults(entity))
  defaults.set(entity, found)
  return found
}

function findDefaults(entity: Constructor<unknown>): RowRecord {
  try {
    return { ...makeInstance(entity as Constructor<object>, {}) }
  } catch {
    return {}
  }
}

/**
 * Returns the names at which reading or assigning runs code of the class, always including `__proto__`.
 *
 * @example accessorsOf(Todo) // ['__proto__']
 */
export function accessorsOf(entity: Constructor<unknown>): readonly string[] {
  const found: string[] = []
  for (let at: unknown = entity.prototype; at !== null && at !== undefined; at = Object.getPrototypeOf(at)) {
    for (const [name, { get, set }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (get !== undefined || set !== undefined) found.push(name)
    }
  }
  return found
}
