import { defineMember } from '../util/plain.js'
import { isEntity, type RowRecord } from './schema.js'

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
  const accessors = accessorsOf(entity)
  if (!accessors.some((name) => Object.hasOwn(record, name))) return Object.assign(instance, record)
  // Assigning would run the accessor, and `__proto__` is one: such fields are defined.
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

/**
 * True if a copied record that is given the prototype equals a constructed instance: the class sets plain defaults and no more.
 *
 * @remarks
 * A constructor and private members cannot be seen from outside, so the text of the classes below `root` is searched for them,
 * generously: where in doubt the instance is constructed. A copied record costs half of a construction (benchmarks, instances).
 *
 * @example
 * ```ts
 * class Todo extends Entity { id = ''; title = '' }
 * isPlainShape(Todo, Entity) // true
 * ```
 */
export function isPlainShape(entity: Constructor<unknown>, root: unknown): boolean {
  const shape = shapeOf(entity)
  shape.isPlain ??= !shape.throws && isShareable(shape.defaults, 0) && isQuiet(entity, root)
  return shape.isPlain
}

interface Shape {
  readonly defaults: RowRecord
  readonly throws: boolean
  /** Names at which assigning would run code; `__proto__` always. */
  readonly accessors: readonly string[]
  isPlain: boolean | undefined
}

/** Classes do not change; their shapes go when they go. */
const shapes = new WeakMap<object, Shape>()

function shapeOf(entity: Constructor<unknown>): Shape {
  const known = shapes.get(entity)
  if (known !== undefined) return known
  const shape = findShape(entity)
  shapes.set(entity, shape)
  return shape
}

function findShape(entity: Constructor<unknown>): Shape {
  const accessors = findAccessors(entity.prototype)
  try {
    return { defaults: Object.freeze({ ...construct(entity) }), throws: false, accessors, isPlain: undefined }
  } catch {
    return { defaults: Object.freeze({}), throws: true, accessors, isPlain: false }
  }
}

function construct<Instance>(entity: Constructor<Instance>): Instance & object {
  // An entity class may be declared abstract and may declare any parameters; all it is ever given is nothing.
  return new (entity as unknown as new () => Instance & object)()
}

function accessorsOf(entity: Constructor<unknown>): readonly string[] {
  return shapeOf(entity).accessors
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

/** How deep defaults are searched for functions and instances, which may hold on to `this`. */
const deepest = 4

function isShareable(value: unknown, depth: number): boolean {
  if (typeof value === 'function') return false
  if (typeof value !== 'object' || value === null || value instanceof Date) return true
  return (
    depth < deepest && isPlainOrEntity(value) && Object.values(value).every((inner) => isShareable(inner, depth + 1))
  )
}

function isPlainOrEntity(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null || isEntity(value.constructor)
}

/** A constructor, private members, or what may touch them; not `this.constructor`, which any method may say. */
const says = /(?<![.\w$])constructor\b|#|\baccessor\b|\bnew\.target\b/

function isQuiet(entity: unknown, root: unknown): boolean {
  for (
    let at = entity;
    typeof at === 'function' && at !== root && at !== Function.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    const text = Function.prototype.toString.call(at)
    if (!text.startsWith('class') || says.test(text)) return false
  }
  return true
}
