import type { EndpointInterface } from '../endpoint/options.js'
import { withFetchKey } from '../respond.js'
import type { RestEndpoint } from '../rest/rest-endpoint.js'
import { OptionError, SchemaError, UrlParamError } from '../util/errors.js'
import {
  checkStandard,
  type InputOf,
  messageOf,
  type OutputOf,
  type Path,
  pathOf,
  pathText,
  resultOf,
  type StandardResult,
  type StandardSchema,
} from './standard-schema.js'

/**
 * Returns a value of the type that a schema accepts, for the options `body` and `searchParams`. It is only a type: `sends`
 * checks values.
 *
 * @example
 * ```ts
 * const NewTodo = z.object({ title: z.string().min(1), userId: z.number() })
 * const create = new RestEndpoint({ path: '/todos', method: 'POST', body: input(NewTodo), ...sends(NewTodo) })
 * ```
 */
export function input<S extends StandardSchema>(schema: S): InputOf<S> {
  checkStandard(schema, 'input')
  return {} as InputOf<S>
}

/** The schemas of the data that an endpoint sends. */
export interface SentSchemas {
  /** The schema of bodies. */
  readonly body?: StandardSchema | undefined
  /** The schema of search params: all params that are not in the path. */
  readonly searchParams?: StandardSchema | undefined
}

/** The options that `sends` returns: a member for each of its schemas. */
export interface SendsOptions {
  getRequestInit?(body?: unknown): RequestInit | Promise<RequestInit>
  searchToString?(searchParams: Readonly<Record<string, unknown>>): string
}

/**
 * Returns options that check a body or search params before a request. The schema's output is sent, so it may encode values,
 * such as a Date as text.
 *
 * @remarks
 * The options are `getRequestInit` and `searchToString`, which call those of the endpoint's class.
 *
 * @example
 * ```ts
 * const Search = z.object({ text: z.string(), page: z.number().int().min(1).default(1) })
 * const search = new RestEndpoint({ path: '/search', searchParams: input(Search), ...sends({ searchParams: Search }) })
 * ```
 * @throws OptionError for anything but a Standard Schema. A call rejects with a `SchemaError` for a body and a
 * `UrlParamError` for search params that are not valid.
 */
export function sends(schemas: StandardSchema | SentSchemas): SendsOptions {
  const { body, searchParams } = '~standard' in schemas ? { body: schemas, searchParams: undefined } : schemas
  return { ...(body && sendsBody(body)), ...(searchParams && sendsSearch(searchParams)) }
}

function sendsBody(schema: StandardSchema): SendsOptions {
  checkStandard(schema, 'sends')
  const options: SendsOptions & ThisType<RestEndpoint> = {
    getRequestInit(body) {
      const { name } = this
      const failure: Failure = (path, problem, cause) => {
        const hint = process.env.NODE_ENV === 'production' ? '' : ' Nothing was sent.'
        const message = `${name}: the body at ${pathText(path)} is not valid: ${problem}.${hint}`
        return new SchemaError(pathText(path), 'a valid body', problem, { ...cause, message })
      }
      const sent = body === undefined ? body : read(schema, body, name, failure)
      return classOf(this).getRequestInit.call(this, sent)
    },
  }
  return options
}

function sendsSearch(schema: StandardSchema): SendsOptions {
  checkStandard(schema, 'sends')
  const options: SendsOptions & ThisType<RestEndpoint> = {
    searchToString(searchParams) {
      const { name, path: template } = this
      const failure: Failure = ([param = ''], problem, cause) =>
        new UrlParamError(name, template, String(param), `is not valid: ${problem}`, cause)
      // The schema of an object returns an object.
      const sent = read(schema, searchParams, name, failure) as typeof searchParams
      return classOf(this).searchToString.call(this, sent)
    },
  }
  return options
}

/**
 * A `process` that validates a response without rows and returns the schema's output, whose type becomes the
 * endpoint's result.
 *
 * @example
 * ```ts
 * const Health = z.object({ status: z.enum(['up', 'down']), since: z.coerce.date() })
 * const getHealth = new RestEndpoint({ path: '/health', process: output(Health) })
 * const { since } = await getHealth() // Date
 * ```
 * @throws OptionError for anything but a Standard Schema. A call rejects with a `SchemaError` for an invalid response.
 */
export function output<S extends StandardSchema>(schema: S): (value: unknown) => OutputOf<S> {
  checkStandard(schema, 'output')
  return function (this: EndpointInterface, value: unknown, ...args: never): OutputOf<S> {
    const failure: Failure = (path, problem, cause) => {
      const hint = process.env.NODE_ENV === 'production' ? '' : ' Correct the response, or the schema.'
      const message = `The data at ${pathText(path)} is not valid: ${problem}.${hint}`
      return withFetchKey(new SchemaError(pathText(path), 'valid data', problem, { ...cause, message }), this, args)
    }
    return read(schema, value, this.name ?? '', failure)
  } as (value: unknown) => OutputOf<S>
}

/** Creates the error of an invalid value. */
type Failure = (path: Path, problem: string, cause?: ErrorOptions) => Error

/** Returns the result of a schema for a value. */
function read(schema: StandardSchema, value: unknown, owner: string, failure: Failure): unknown {
  const result = attempt(schema, value, owner, failure)
  if (result.issues === undefined) return result.value
  const [issue = { message: 'it has issues' }] = result.issues
  throw failure(pathOf(issue), messageOf(issue))
}

function attempt(schema: StandardSchema, value: unknown, owner: string, failure: Failure): StandardResult {
  try {
    return resultOf(schema, value, owner)
  } catch (cause) {
    throw cause instanceof OptionError ? cause : failure([], 'its schema threw', { cause })
  }
}

/** Returns the class's own methods, which the endpoint's options hide. */
function classOf(endpoint: RestEndpoint): RestEndpoint {
  return Object.getPrototypeOf(endpoint) as RestEndpoint
}
