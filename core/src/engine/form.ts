import { isArraySchema, isEntity, isRowSchema, isSchemaObject, type Schema } from '../schema/schema.js'

/**
 * Tells in which form schemas keep a result: two schemas of one form can show the same one. Plain data has the form `''`.
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
      // A Query keeps what its inner schema does.
      return schema.kind === 'query' ? inner : `${this.#nameOf(schema.constructor)}<${inner}>`
    }
    const fields = Object.keys(schema).sort()
    const inner = fields.flatMap((field) => {
      const form = this.of((schema as { readonly [field: string]: Schema })[field])
      return form === '' ? [] : [`${field}:${form}`]
    })
    return inner.length === 0 ? '' : `{${inner.join()}}`
  }

  /** Names of classes may be the same, above all where code is minified. */
  #nameOf(Class: object): string {
    const name = this.#forms.get(Class) ?? `#${++this.#classes}`
    this.#forms.set(Class, name)
    return name
  }
}
