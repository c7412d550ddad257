import type { Schema } from './ir.js'
import type { Row } from './kinds.js'
import { memberName, quoted } from './names.js'
import { Report } from './report.js'
import type { Schemas } from './schemas.js'

/** A schema that contains rows, as code. */
export interface Shape {
  /** The schema: `[Pet]`, `{ data: [Pet] }`. */
  readonly code: string
  /** The type of the value for readers. */
  readonly out: string
  /** False if `Denormalize` of the code differs from `out`. */
  readonly isExact: boolean
  /** The row, if the schema is a row of one class. */
  readonly row?: Row | undefined
  /** True for a row, or one of several rows: another response may delete it. */
  readonly isReference?: boolean
  /** True for a list that can be added to, which its type shows only outside of other schemas. */
  readonly isList?: boolean
}

/** A list of rows within a response. */
export interface ListPlace {
  /** The access to the list: empty, or for example `.data`. */
  readonly access: string
  /** The row of its members, if they have one class. */
  readonly row: Row | undefined
  /** The names of the fields beside it. */
  readonly beside: readonly string[]
}

interface Context {
  readonly rows: ReadonlyMap<string, Row>
  readonly schemas: Schemas
  readonly report: Report
  readonly dates: boolean
  typeOf(component: string): string | undefined
}

/** Replaces the code of parts of a schema: a list by a Collection, a row by the member that a list gets. */
export interface Writers {
  list?(code: string, place: ListPlace): string
  row?(row: Row): string | undefined
  /** True if no type follows from the code. */
  readonly isUntyped?: boolean
}

/** Writes the schemas of one description. */
export class Shapes {
  readonly #context: Context

  constructor(context: Context) {
    this.#context = context
  }

  /**
   * Returns a schema as code; undefined if it contains no row.
   *
   * @param type - the text of its type
   * @param path - its path, for the report
   */
  of(schema: Schema, type: string, path: readonly string[], writers: Writers = {}): Shape | undefined {
    return new Visit(this.#context, path, writers).value(schema, type, outermost)
  }

  /** Returns the lists in a response that are not within rows. */
  listsIn(schema: Schema): readonly ListPlace[] {
    const places: ListPlace[] = []
    const list = (code: string, place: ListPlace): string => {
      places.push(place)
      return code
    }
    new Visit({ ...this.#context, report: new Report('') }, [], { list }).value(schema, 'unknown', outermost)
    return places
  }

  /** Returns the fields of a row that are rows or dates. */
  fieldsOf(row: Row): readonly (Shape & { readonly name: string; readonly isOptional: boolean })[] {
    const path = ['components', 'schemas', row.component, 'properties']
    return [...row.fields].flatMap(([name, field]) => {
      const type = `T.${row.type}[${quoted(name)}]`
      const shape =
        this.of(field.schema, `NonNullable<${type}>`, [...path, name], { isUntyped: true }) ??
        (this.#context.dates ? this.#date(field.schema) : undefined)
      if (!shape) return []
      const { isNullable } = this.#context.schemas.alternatives(field.schema)
      const empty = `${isNullable ? ' | null' : ''}${field.required && !shape.isReference ? '' : ' | undefined'}`
      return [{ ...shape, name, out: shape.out + empty, isOptional: !field.required }]
    })
  }

  #date(schema: Schema): Shape | undefined {
    const { members } = this.#context.schemas.alternatives(schema)
    const [only] = members
    const { format, type } = only ? this.#context.schemas.resolve(only) : {}
    const isDate = members.length === 1 && type === 'string' && format === 'date-time'
    return isDate ? { code: 'toDate', out: 'Date', isExact: true } : undefined
  }
}

interface Place {
  readonly access: string
  readonly beside: readonly string[]
  /** The enclosing components, which must not occur again. */
  readonly above: readonly Schema[]
}

const outermost: Place = { access: '', beside: [], above: [] }

/** One visit of a schema. */
class Visit {
  readonly #context: Context
  readonly #path: readonly string[]
  readonly #writers: Writers

  constructor(context: Context, path: readonly string[], writers: Writers) {
    this.#context = context
    this.#path = path
    this.#writers = writers
  }

  value(schema: Schema, type: string, place: Place): Shape | undefined {
    const { schemas } = this.#context
    const { members, isNullable } = schemas.alternatives(schema)
    const shape =
      members.length > 1 ? this.#alternatives(members, place) : this.#single(members[0] ?? schema, type, place)
    if (!shape) return undefined
    return isNullable ? { ...shape, isExact: false } : shape
  }

  #single(schema: Schema, type: string, place: Place): Shape | undefined {
    const { rows, schemas } = this.#context
    const row = rows.get(schemas.nameOf(schema) ?? '')
    if (row) return this.#row(row)
    const resolved = schemas.resolve(schema)
    if (place.above.includes(resolved)) return undefined
    const inside = { ...place, above: [...place.above, resolved] }
    if (resolved.type === 'array') return this.#array(resolved, type, inside)
    const component = schemas.nameOf(schema)
    const named = component === undefined ? undefined : this.#context.typeOf(component)
    return this.#object(resolved, named === undefined ? type : `T.${named}`, inside)
  }

  #row(row: Row): Shape {
    const written = this.#writers.row?.(row)
    return { code: written ?? row.className, out: row.className, isExact: true, row, isReference: true }
  }

  #array(schema: Schema, type: string, place: Place): Shape | undefined {
    const item = this.#context.schemas.member(schema)
    const { access, beside } = place
    const inner = item && this.#inner.value(item, `${type}[number]`, { ...place, access: '', beside: [] })
    if (!inner) return undefined
    const member = this.#exact(inner)
    // Only rows can be added to lists.
    const list = inner.isReference ? this.#writers.list?.(member, { access, row: inner.row, beside }) : undefined
    const out = /[|&]/.test(inner.out) ? `(${inner.out})` : inner.out
    return { code: list ?? `[${member}]`, out: `readonly ${out}[]`, isExact: true, isList: list !== undefined }
  }

  /** The visit of a list's members, which contain neither lists to push to nor the row of the response. */
  get #inner(): Visit {
    return new Visit(this.#context, this.#path, this.#writers.isUntyped ? { isUntyped: true } : {})
  }

  #object(schema: Schema, type: string, place: Place): Shape | undefined {
    const { schemas } = this.#context
    const fields = schemas.fields(schema)
    const shapes = [...fields].flatMap(([name, field]) => {
      const beside = [...fields.keys()].filter((other) => other !== name)
      const inside = { ...place, access: place.access + accessOf(name), beside }
      const shape = this.value(field.schema, `NonNullable<${type}[${quoted(name)}]>`, inside)
      if (!shape) return []
      const { isNullable } = schemas.alternatives(field.schema)
      const empty = `${isNullable ? ' | null' : ''}${field.required ? '' : ' | undefined'}`
      return [
        { ...shape, name, out: shape.out + empty, isExact: shape.isExact && (empty === '' || shape.isList === true) },
      ]
    })
    if (shapes.length === 0) return this.#map(schema, type, place)
    const members = shapes.map((shape) => `${memberName(shape.name)}: ${this.#exact(shape)}`).join(', ')
    const isAll = shapes.length === fields.size && !schemas.isOpen(schema)
    const isWhole = isAll || this.#writers.isUntyped
    const names = shapes.map(({ name }) => quoted(name)).join(' | ')
    const own = shapes.map(({ name, out }) => `readonly ${memberName(name)}: ${out}`).join('; ')
    return {
      code: isWhole ? `{ ${members} }` : `withFields<${type}>()({ ${members} })`,
      out: isAll ? `{ ${own} }` : `Omit<${type}, ${names}> & { ${own} }`,
      isExact: true,
    }
  }

  #map({ additionalProperties }: Schema, type: string, place: Place): Shape | undefined {
    const inner = additionalProperties
      ? this.#inner.value(additionalProperties, `${type}[string]`, { ...place, access: '', beside: [] })
      : undefined
    if (!inner) return undefined
    return { code: `new Values(${this.#exact(inner)})`, out: `Readonly<Record<string, ${inner.out}>>`, isExact: true }
  }

  /** Writes alternatives: "id or object" as the object, rows with different constants as a Union. Others stay plain. */
  #alternatives(members: readonly Schema[], place: Place): Shape | undefined {
    const { rows, schemas } = this.#context
    const found = members.flatMap((member) => rows.get(schemas.nameOf(member) ?? '') ?? [])
    if (found.length === 0) return this.#plainAlternatives(members, place)
    const others = members.filter((member) => !rows.has(schemas.nameOf(member) ?? ''))
    const keys = others.filter((member) => schemas.scalarType(member) !== undefined)
    if (keys.length < others.length)
      return this.#stay('stays plain: some of its alternatives are rows, and others are not')
    const [first] = found
    if (first && new Set(found).size === 1) return { ...this.#row(first), isExact: true }
    const tag = tagOf(members, schemas)
    if (tag) return this.#union(tag, found, keys.length > 0)
    const out = [...new Set(found.map(({ className }) => className))].join(' | ')
    if (first && found.every(({ kind }) => kind === first.kind)) return { ...this.#row(first), out, isExact: false }
    return this.#stay(
      `stays plain: no field with a constant tells ${found.map(({ component }) => component).join(', ')} apart. Add a discriminator to the description, or name them as one kind in the option same`,
    )
  }

  #union(tag: Tag, found: readonly Row[], hasKeys: boolean): Shape {
    const { schemas, rows } = this.#context
    const kinds = [...tag.values].flatMap(([value, member]) => {
      const row = rows.get(schemas.nameOf(member) ?? '')
      return row ? [`${memberName(value)}: ${row.className}`] : []
    })
    const isField = found.every(({ fields }) => fields.has(tag.field))
    const by = isField
      ? quoted(tag.field)
      : `(value: { readonly ${memberName(tag.field)}?: string }) => value${accessOf(tag.field)}`
    const classes = [...new Set(found.map(({ className }) => className))]
    const code = `new Union({ ${kinds.join(', ')} }, ${isField ? by : `${by} as never`})`
    return { code, out: [...classes, ...(hasKeys ? ['string'] : [])].join(' | '), isExact: !hasKeys, isReference: true }
  }

  #plainAlternatives(members: readonly Schema[], place: Place): undefined {
    const quiet = new Visit(this.#context, this.#path, {})
    const hasRows = members.some((member) => quiet.#single(member, 'unknown', place) !== undefined)
    return hasRows ? this.#stay('stays plain: it is one of several objects, some with rows in them') : undefined
  }

  #exact(shape: Shape): string {
    return this.#writers.isUntyped ? shape.code : exact(shape)
  }

  #stay(reason: string): undefined {
    this.#context.report.note(this.#path, reason)
    return undefined
  }
}

/** Returns the code of a schema with the exact type of its value. */
export function exact({ code, out, isExact }: Shape): string {
  return isExact ? code : `(${code} as never as As<${out}>)`
}

function accessOf(name: string): string {
  return memberName(name) === name ? `.${name}` : `[${quoted(name)}]`
}

/** A field whose constants distinguish alternatives. */
interface Tag {
  readonly field: string
  readonly values: ReadonlyMap<string, Schema>
}

function tagOf(members: readonly Schema[], schemas: Schemas): Tag | undefined {
  const objects = members.filter((member) => schemas.scalarType(member) === undefined)
  const [first] = objects
  const names = first ? [...schemas.fields(first).keys()] : []
  const usual = ['type', 'kind', 'object'].filter((name) => names.includes(name))
  for (const field of [...usual, ...names]) {
    const values = new Map<string, Schema>()
    const isTag = objects.every((member) => {
      const constants = schemas.constants(schemas.fields(member).get(field)?.schema ?? {})
      const isNew = constants.every((value) => !values.has(value))
      for (const value of constants) values.set(value, member)
      return constants.length > 0 && isNew
    })
    if (isTag) return { field, values }
  }
  return undefined
}
