import { isArraySchema, isEntity, isRowSchema, isSchemaObject, type Schema } from '../schema/schema.js'

/**
 * Returns the form in which a schema stores a result: schemas of the same form can read each other's. Plain data has the
 * form `''`.
 *
 * @example
 * ```ts
 * forms.of([Todo]) // '[Todo]'
 * forms.of({ todos: new Collection([Todo]), total: 0 }) // '{todos:([Todo])}'
 * ```
 */
export class Forms {
  readonly #forms = new WeakMap<object, string>()
  #classes = 0

  of(schema: Schema): string {
    if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) return ''
    const cached = this.#forms.get(schema)
    if (cached !== undefined) return cached
    // A recursive schema is visited again before its shape is known.
    this.#forms.set(schema, '*')
    const form = this.#formOf(schema)
    this.#forms.set(schema, form)
    return form
  }

  #formOf(schema: Schema & object): string {
    if (isEntity(schema)) return schema.key
    if (isRowSchema(schema)) return `(${schema.key})`
    if (typeof schema === 'function') return ''
    if (isArraySchema(schema)) return `[${this.of(schema[0])}]`
    if (isSchemaObject(schema)) {
      const inner = (schema.parts?.() ?? []).map((part) => this.of(part)).join()
      // A Query stores its inner schema's result.
      return schema.kind === 'query' ? inner : `${this.#nameOf(schema.constructor)}<${inner}>`
    }
    const fields = Object.keys(schema).sort()
    const inner = fields.flatMap((field) => {
      const form = this.of((schema as { readonly [field: string]: Schema })[field])
      return form === '' ? [] : [`${field}:${form}`]
    })
    return inner.length === 0 ? '' : `{${inner.join()}}`
  }

  /** Numbers the classes, since their names may be equal, especially in minified code. */
  #nameOf(Class: object): string {
    const name = this.#forms.get(Class) ?? `#${++this.#classes}`
    this.#forms.set(Class, name)
    return name
  }
}
