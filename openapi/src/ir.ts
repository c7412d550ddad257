// The used parts of hey-api's model, which is the same for OpenAPI 3.0 and 3.1.

/** A schema: `items` are the members of an array, or with a `logicalOperator` alternatives (`or`) and parts (`and`). */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly items?: readonly Schema[]
  readonly logicalOperator?: 'and' | 'or'
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | false
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly format?: string
  readonly description?: string
  readonly 'x-primary-key'?: unknown
}

/** A param of the path, the query, the headers or the cookies. */
export interface Parameter {
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
  readonly style: string
  readonly explode: boolean
}

/** An operation; `id` is a unique identifier. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly body?: { readonly mediaType: string; readonly required?: boolean; readonly schema: Schema }
  readonly parameters?: Readonly<
    Partial<Record<'path' | 'query' | 'header' | 'cookie', Readonly<Record<string, Parameter>>>>
  >
  readonly responses?: Readonly<Record<string, Response | undefined>>
}

/** The content of a response; without a media type, there is none. */
export interface Response {
  readonly mediaType?: string
  readonly schema: Schema
}

/** A whole description. */
export interface Model {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
