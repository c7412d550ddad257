import { defineMember } from '../util/plain.js'
import type { RowRecord } from './schema.js'

/** The side of a class that makes instances; its constructor takes nothing that this library could give. */
interface Constructor<Instance> {
  readonly prototype: Instance
}

/**
 * A new instance with these fields on top of the class's own defaults. What the record holds is what the instance holds, also
 * where the class has a getter of that name; a field named `__proto__` stays data.
 *
 * @example makeInstance(Todo, { id: '5' }) instanceof Todo // true
 */
export function makeInstance<Instance>(entity: Constructor<Instance>, record: RowRecord): Instance {
  const instance = construct(entity)
  for (const name of shapeOf(entity).accessors) if (Object.hasOwn(record, name)) return defineAll(instance, record)
  return Object.assign(instance, record)
}

/** Assigning would run the accessor, and `__proto__` is one: such fields are defined. */
function defineAll<Instance extends object>(instance: Instance, record: RowRecord): Instance {
  for (const field of Object.keys(record)) defineMember(instance, field, record[field])
  return instance
}

/**
 * The fields of an empty instance, found once for each class; none if its constructor throws without arguments.
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

/** Classes do not change; their shapes go when they go. */
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
  // An entity class may be declared abstract and may declare any parameters; all it is ever given is nothing.
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
