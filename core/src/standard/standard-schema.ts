import { describeType } from '../util/describe.js'
import { OptionError } from '../util/errors.js'

/**
 * A schema of any library that follows [Standard Schema](https://standardschema.dev) 1, such as zod, valibot or arktype.
 *
 * @typeParam Input - the type that the schema accepts
 * @typeParam Output - the type that it returns
 */
export interface StandardSchema<Input = unknown, Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** The types, for the compiler only. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** The result of a schema: a value, or its issues. */
export type StandardResult<Output = unknown> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** A problem that a schema has found, with its path. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The type that a schema accepts. */
export type InputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input']

/** The type that a schema returns. */
export type OutputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output']

/**
 * Throws if a value is no Standard Schema.
 *
 * @throws OptionError
 */
export function checkStandard(schema: unknown, owner: string): void {
  // JavaScript callers may pass anything; arktype's schemas are functions.
  const { '~standard': standard } = (schema ?? {}) as Partial<StandardSchema>
  if (typeof standard?.validate === 'function') return
  throw new OptionError(
    'schema',
    `of ${owner} must be a Standard Schema${process.env.NODE_ENV === 'production' ? '.' : `, found ${describeType(schema)}. Pass one of zod 3.24, valibot 1, arktype 2 or newer.`}`,
  )
}

/**
 * Returns the result of a schema for a value.
 *
 * @throws OptionError for a schema that returns a promise
 */
export function resultOf(schema: StandardSchema, value: unknown, owner: string): StandardResult {
  const result = schema['~standard'].validate(value)
  if (!('then' in result)) return result
  const error = new OptionError(
    'schema',
    `of ${owner} returned a promise${process.env.NODE_ENV === 'production' ? '.' : ', but data is checked at once. Remove its async checks. zod also returns a promise if a function in it throws (see cause).'}`,
  )
  result.then(undefined, (cause: unknown) => {
    error.cause = cause
  })
  throw error
}

/** The names and indexes that lead to a nested value. */
export type Path = readonly (string | number)[]

/** Returns a path as text, such as `$[57].author`. */
export function pathText(path: Path, from = '$'): string {
  return path.reduce<string>((text, step) => text + (typeof step === 'number' ? `[${step}]` : `.${step}`), from)
}

/** Returns the path of an issue. */
export function pathOf({ path = [] }: StandardIssue): Path {
  return path.map((step) => {
    const key = typeof step === 'object' ? step.key : step
    return typeof key === 'number' ? key : String(key)
  })
}

/** Returns the message of an issue as the end of a sentence, without its full stop. */
export function messageOf({ message }: StandardIssue): string {
  return message.replace(/\.$/, '')
}
