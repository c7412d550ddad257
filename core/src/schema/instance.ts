import { defineMember } from '../util/plain.js'
import type { RowRecord } from './schema.js'

/** A class whose instances can be created; the library passes no arguments to its constructor. */
interface Constructor<Instance> {
  readonly prototype: Instance
}

/**
 * Creates an instance with these fields on top of the class's defaults. The fields of the record override getters of the class; a
 * field named `__proto__` stays data.
 *
 * @example makeInstance(Todo, { id: '5' }) instanceof Todo // true
 */
export function makeInstance<Instance>(entity: Constructor<Instance>, record: RowRecord): Instance {
  const instance = construct(entity)
  for (const name of shapeOf(entity).accessors) if (Object.hasOwn(record, name)) return defineAll(instance, record)
  return Object.assign(instance, record)
}

/** Assigning would run an accessor, such as `__proto__`: these fields are defined instead. */
function defineAll<Instance extends object>(instance: Instance, record: RowRecord): Instance {
  for (const field of Object.keys(record)) defineMember(instance, field, record[field])
  return instance
}

/**
 * The fields of an empty instance, computed once for each class; none if its constructor throws without arguments.
 *
 * @example defaultsOf(Todo) // { id: '', title: '' }
 */
export function defaultsOf(entity: Constructor<unknown>): RowRecord {
  return shapeOf(entity).defaults
}

interface Shape {
  readonly defaults: RowRecord
  /** Names at which assigning would run code; `__proto__` always. */
  readonly accessors: readonly string[]
}

/** The cached fields of each class, which are collected together with the class. */
const shapes = new WeakMap<object, Shape>()

function shapeOf(entity: Constructor<unknown>): Shape {
  const known = shapes.get(entity)
  if (known !== undefined) return known
  const shape = { defaults: Object.freeze(findDefaults(entity)), accessors: findAccessors(entity.prototype) }
  shapes.set(entity, shape)
  return shape
}

function findDefaults(entity: Constructor<unknown>): RowRecord {
  try {
    return { ...construct(entity) }
  } catch {
    return {}
  }
}

function construct<Instance>(entity: Constructor<Instance>): Instance & object {
  // An entity class may be abstract and may declare any parameters, but it is constructed without arguments.
  return new (entity as unknown as new () => Instance & object)()
}

function findAccessors(prototype: unknown): readonly string[] {
  const found = new Set<string>()
  for (let at = prototype; at !== null && at !== undefined; at = Object.getPrototypeOf(at)) {
    for (const [name, { get, set }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (get !== undefined || set !== undefined) found.add(name)
    }
  }
  return [...found]
}
