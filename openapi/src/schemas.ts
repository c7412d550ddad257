import type { Schema } from './ir.js'

/** A field of an object. */
export interface Field {
  readonly schema: Schema
  readonly required: boolean
}

const prefix = '#/components/schemas/'

/** The components of a description, and the meaning of schemas that refer to them. */
export class Schemas {
  readonly #components: ReadonlyMap<string, Schema>
  readonly #fields = new Map<Schema, ReadonlyMap<string, Field>>()

  constructor(components: Readonly<Record<string, Schema>> = {}) {
    this.#components = new Map(Object.entries(components))
  }

  /** The names of all components. */
  get names(): readonly string[] {
    return [...this.#components.keys()]
  }

  /** Returns the component with a name. */
  component(name: string): Schema | undefined {
    return this.#components.get(name)
  }

  /** Returns the schema to which a reference refers. */
  resolve(schema: Schema): Schema {
    const name = this.nameOf(schema)
    return name === undefined ? schema : (this.#components.get(name) ?? schema)
  }

  /** Returns the name of the component that a schema is: a reference, alone or with only constants, for discriminators. */
  nameOf(schema: Schema, met: readonly string[] = []): string | undefined {
    if (schema.$ref !== undefined) {
      const name = decodeURIComponent(schema.$ref.slice(prefix.length)).replaceAll('~1', '/').replaceAll('~0', '~')
      const target = this.#components.get(name)
      if (!schema.$ref.startsWith(prefix) || !target || met.includes(name)) return undefined
      return this.nameOf(target, [...met, name]) ?? name
    }
    const parts = schema.logicalOperator === 'and' ? (schema.items ?? []) : []
    const references = parts.filter(({ $ref }) => $ref !== undefined)
    const others = parts.filter(({ $ref }) => $ref === undefined)
    const [only] = references
    if (only === undefined || references.length > 1 || !others.every(hasOnlyConstants)) return undefined
    return this.nameOf(only, met)
  }

  /** Returns the alternatives of a schema without null, and whether null is one. */
  alternatives(
    schema: Schema,
    met: ReadonlySet<Schema> = new Set(),
  ): { readonly members: readonly Schema[]; readonly isNullable: boolean } {
    const name = this.nameOf(schema)
    const resolved = name === undefined ? schema : this.resolve(schema)
    if (resolved.logicalOperator !== 'or' || resolved.type === 'enum' || resolved.type === 'array') {
      return resolved.type === 'null' ? { members: [], isNullable: true } : { members: [schema], isNullable: false }
    }
    if (met.has(resolved)) return { members: [], isNullable: false }
    const inner = (resolved.items ?? []).map((item) => this.alternatives(item, new Set([...met, resolved])))
    return { members: inner.flatMap(({ members }) => members), isNullable: inner.some(({ isNullable }) => isNullable) }
  }

  /** Returns the schema of an array's members; undefined for other schemas. */
  member(schema: Schema): Schema | undefined {
    const { type, items = [] } = this.resolve(schema)
    return type !== 'array' || items.length === 0
      ? undefined
      : items.length === 1
        ? items[0]
        : { items, logicalOperator: 'or' }
  }

  /** Returns the fields of an object, with those of all its parts. */
  fields(schema: Schema): ReadonlyMap<string, Field> {
    const cached = this.#fields.get(schema)
    if (cached) return cached
    const fields = new Map<string, Field>()
    this.#collect(schema, fields, new Set())
    this.#fields.set(schema, fields)
    return fields
  }

  #collect(schema: Schema, fields: Map<string, Field>, met: Set<Schema>): void {
    if (met.has(schema)) return
    met.add(schema)
    if (schema.$ref !== undefined) {
      const name = decodeURIComponent(schema.$ref.slice(prefix.length)).replaceAll('~1', '/').replaceAll('~0', '~')
      const target = this.#components.get(name)
      if (target) this.#collect(target, fields, met)
    }
    if (schema.logicalOperator === 'and') for (const part of schema.items ?? []) this.#collect(part, fields, met)
    for (const [name, own] of Object.entries(schema.properties ?? {})) {
      const before = fields.get(name)
      // If two parts have a field, the one with a constant is more specific.
      const said = before && this.constants(own).length === 0 && this.constants(before.schema).length > 0
      const required = (schema.required?.includes(name) ?? false) || (before?.required ?? false)
      fields.set(name, { schema: said ? before.schema : own, required })
    }
    for (const name of schema.required ?? []) {
      const field = fields.get(name)
      if (field) fields.set(name, { ...field, required: true })
    }
  }

  /** True if other fields are allowed. */
  isOpen(schema: Schema, met: ReadonlySet<Schema> = new Set()): boolean {
    const resolved = schema.$ref === undefined ? schema : this.resolve(schema)
    if (met.has(resolved)) return false
    const { additionalProperties, logicalOperator, items = [] } = resolved
    if (additionalProperties && additionalProperties.type !== 'never') return true
    return logicalOperator === 'and' && items.some((part) => this.isOpen(part, new Set([...met, resolved])))
  }

  /** Returns the values of a constant or an enumeration. */
  constants(schema: Schema): readonly string[] {
    const resolved = this.resolve(schema)
    if (resolved.const !== undefined) return [`${resolved.const}`]
    if (resolved.type !== 'enum') return []
    return (resolved.items ?? []).flatMap((item) => (item.const === undefined ? [] : [`${item.const}`]))
  }

  /** Returns `string` or `number`; undefined for other types. */
  scalarType(schema: Schema): 'string' | 'number' | undefined {
    const { members } = this.alternatives(schema)
    const types = new Set(members.map((member) => typeOfValue(this.resolve(member))))
    const [type] = types
    return types.size === 1 ? type : undefined
  }
}

function hasOnlyConstants({ properties = {}, items, additionalProperties }: Schema): boolean {
  return items === undefined && !additionalProperties && Object.values(properties).every(isConstant)
}

function isConstant({ const: value, type, items = [] }: Schema): boolean {
  return value !== undefined || (type === 'enum' && items.every((item) => item.const !== undefined))
}

function typeOfValue({ type, items = [] }: Schema): 'string' | 'number' | undefined {
  if (type === 'string') return 'string'
  if (type === 'integer' || type === 'number') return 'number'
  if (type !== 'enum') return undefined
  return items.every(({ const: value }) => typeof value === 'string') ? 'string' : undefined
}
