/** The helpers of the written module, each with the pattern of its uses. */
const helpers: readonly (readonly [use: RegExp, code: string])[] = [
  [
    /\bAs</,
    `/** A schema whose value is of this type, which its own type does not tell. */
type As<Out> = SchemaContract & {
  readonly '~types': {
    readonly denormalized: Out
    readonly nullable: Out | undefined
    readonly normalized: unknown
    readonly normalizedNullable: unknown
    readonly args: never
  }
}`,
  ],
  [
    /\bwithFields</,
    `/** An object with rows in it, whose other fields stay as they came. */
function withFields<Fields>() {
  return <const Rows>(rows: Rows) =>
    rows as Rows & { readonly [Name in keyof Omit<Fields, keyof Rows>]-?: (value: Fields[Name]) => Fields[Name] }
}`,
  ],
  [
    /\bplain</,
    `/** An endpoint whose data have no rows. */
function plain<Data>() {
  return <const Options extends RestGenerics>(options: Options) =>
    new RestEndpoint(options as never) as never as RestEndpoint<Options, Data>
}`,
  ],
  [
    /\btoDate\b/,
    `/** Text of ISO 8601 as a date. */
function toDate(iso: string): Date {
  return new Date(iso)
}`,
  ],
  [
    /\bsearchBy\(/,
    `/** Writes search params, sorted by name; those with a style in the way that it says. */
function searchBy(styles: Readonly<Record<string, string>>) {
  return (params: object): string => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))) {
      const style = styles[name]
      if (style === 'brackets') addNested(search, name, value)
      else if (style === 'fields' && isNested(value)) for (const [field, one] of Object.entries(value)) addNested(search, field, one)
      else if (style && Array.isArray(value)) search.append(name, value.join(style))
      else for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) search.append(name, textOf(one))
    }
    return search.toString()
  }
}`,
  ],
  [
    /\bformOf\(/,
    `/** A body as a form; \`nested\` are fields that are written as \`name[field]\`. */
function formOf(body: object | undefined, nested: readonly string[] = []): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body ?? {})) {
    if (nested.includes(name) || (isNested(value) && !Array.isArray(value))) addNested(form, name, value)
    else for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) form.append(name, textOf(one))
  }
  return form
}`,
  ],
  [
    /\bformDataOf\(/,
    `/** A body with files as a form: an object is JSON, and an array repeats its name. */
function formDataOf(body: object | undefined): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one instanceof Blob) form.append(name, one)
      else if (one !== undefined) form.append(name, isNested(one) ? JSON.stringify(one) : textOf(one))
    }
  }
  return form
}`,
  ],
  [
    /\baddNested\(/,
    `function addNested(search: URLSearchParams, name: string, value: unknown): void {
  if (isNested(value)) for (const [field, one] of Object.entries(value)) addNested(search, \`\${name}[\${field}]\`, one)
  else if (value !== undefined) search.append(name, textOf(value))
}`,
  ],
  [
    /\bisNested\(/,
    `function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
}`,
  ],
  [
    /\btextOf\(/,
    `function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}`,
  ],
]

/**
 * Returns the helpers that a text uses, and those that they use.
 *
 * @example helpersFor('schema: { at: toDate }') // ['/** … *\/\nfunction toDate …']
 */
export function helpersFor(text: string): readonly string[] {
  const used: string[] = []
  for (const [use, code] of helpers) if (use.test([text, ...used].join('\n'))) used.push(code)
  return used
}
