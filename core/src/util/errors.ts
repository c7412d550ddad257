import { errorPage } from './error-page.js'
import { safeUrl, withoutPasswords } from './safe-url.js'

// Every class takes its fields as parameters, in their order, and `{ cause }` last. Names are written out because a minifier
// renames classes; no field may contain a credential. Hints and the location of the documentation page are for
// development only, to keep production bundles small.

/**
 * The base class of all errors of this library. `code` identifies the class, also in minified code; `cause` is the
 * underlying error.
 *
 * @example
 * ```ts
 * try {
 *   await getTodo({ id: 5 })
 * } catch (error) {
 *   if (error instanceof RoundtableError) console.log(error.code, error.message)
 * }
 * ```
 */
export class RoundtableError extends Error {
  override readonly name: string = 'RoundtableError'
  readonly code: string = 'ROUNDTABLE'

  /** Returns the fields and the message for `JSON.stringify` and loggers, which would omit the message of an error. */
  toJSON(): object {
    return { ...this, message: this.message }
  }
}

/**
 * No response arrived: offline, CORS, DNS, or a broken connection. In development `hint` replaces the advice in the message.
 *
 * @example new TransportError('https://api.test/todos', 'GET', { cause: new TypeError('fetch failed') })
 */
export class TransportError extends RoundtableError {
  override readonly name: string = 'TransportError'
  override readonly code: string = 'TRANSPORT'
  declare readonly url: string
  declare readonly method: string

  constructor(url: string, method: string, options?: ErrorOptions & { hint?: string }) {
    const hint =
      process.env.NODE_ENV === 'production'
        ? ''
        : `${options?.hint ?? (isNoUrl(options?.cause) ? ' Is urlPrefix missing? Outside a page a URL must be absolute.' : ' Check the connection, the address and CORS.')}${errorPage('TRANSPORT')}`
    super(`${method} ${safeUrl(url)} got no response.${hint}`, options)
    this.url = safeUrl(url)
    this.method = method
  }
}

/**
 * The request took longer than its `timeout`, in milliseconds; `key` is its fetch key or URL.
 *
 * @example new TimeoutError('GET https://api.test/todos', 5_000)
 */
export class TimeoutError extends RoundtableError {
  override readonly name: string = 'TimeoutError'
  override readonly code: string = 'TIMEOUT'
  declare readonly key: string
  declare readonly timeout: number

  constructor(key: string, timeout: number, options?: ErrorOptions) {
    const hint =
      process.env.NODE_ENV === 'production' ? '' : ` Try again, or raise the endpoint's timeout.${errorPage('TIMEOUT')}`
    super(`${safeUrl(key)} took longer than ${timeout} ms.${hint}`, options)
    this.key = safeUrl(key)
    this.timeout = timeout
  }
}

/**
 * The body of a response could not be parsed; `excerpt` contains its first 200 characters.
 *
 * @example new ResponseParseError('https://api.test/todos', 200, 'application/json', '<!doctype html>', { cause: new SyntaxError() })
 */
export class ResponseParseError extends RoundtableError {
  override readonly name: string = 'ResponseParseError'
  override readonly code: string = 'RESPONSE_PARSE'
  declare readonly url: string
  declare readonly status: number
  declare readonly contentType: string | null
  declare readonly excerpt: string

  constructor(
    url: string,
    status: number,
    contentType: string | null,
    body: string,
    options?: ErrorOptions & { isPage?: boolean },
  ) {
    const hint =
      process.env.NODE_ENV === 'production'
        ? ''
        : options?.isPage
          ? ` Is urlPrefix missing?${errorPage('RESPONSE_PARSE')}`
          : ` Set the endpoint's content, or override parseResponse.${errorPage('RESPONSE_PARSE')}`
    const excerpt = body.slice(0, 200)
    const from = `${safeUrl(url)} (${status}, ${contentType ?? 'no content-type'})`
    const what =
      process.env.NODE_ENV !== 'production' && options?.isPage
        ? `Got HTML from ${from}`
        : `The response of ${from} cannot be parsed`
    super(`${what}: ${JSON.stringify(excerpt)}.${hint}`, options)
    this.url = safeUrl(url)
    this.status = status
    this.contentType = contentType
    this.excerpt = excerpt
  }
}

/**
 * A response does not match its schema; `path` is the path in the payload (`$[57].author`). `endpoint` is the endpoint's
 * name and `key` its fetch key, for REST the method and the URL; both are undefined if no endpoint is known.
 *
 * @example new SchemaError('$[57].author', 'an object', 'an array')
 */
export class SchemaError extends RoundtableError {
  override readonly name: string = 'SchemaError'
  override readonly code: string = 'SCHEMA'
  declare readonly path: string
  declare readonly expected: string
  declare readonly found: string
  declare readonly endpoint: string | undefined
  declare readonly key: string | undefined

  constructor(path: string, expected: string, found: string, options?: ErrorOptions & { message?: string }) {
    const hint = process.env.NODE_ENV === 'production' ? '' : schemaHint(path, found)
    const message =
      options?.message ?? `The data does not fit its schema at ${path}: expected ${expected}, found ${found}.${hint}`
    const code = new.target === SchemaError ? 'SCHEMA' : 'MISSING_PK'
    super(process.env.NODE_ENV === 'production' ? message : message + errorPage(code), options)
    this.path = path
    this.expected = expected
    this.found = found
  }
}

function schemaHint(path: string, found: string): string {
  const isJson = path === '$' && /^the text "[{[]/.test(found)
  return isJson ? ' The Content-Type of the response is not JSON.' : ' Correct the schema, or the value in process().'
}

/**
 * An entity in a response has no primary key; `kind` is the entity's key.
 *
 * @example new MissingPkError('Todo', '$[3]')
 */
export class MissingPkError extends SchemaError {
  override readonly name: string = 'MissingPkError'
  override readonly code: string = 'MISSING_PK'
  declare readonly kind: string

  constructor(kind: string, path: string, options?: ErrorOptions & { within?: string | undefined }) {
    const hint = process.env.NODE_ENV === 'production' ? '' : " Return one from pk(), or add 'id' to the response."
    const within = options?.within ? ` The ${kind} seems to be in ${options.within}.` : ''
    const message = `${kind} at ${path} has no primary key.${within || hint}`
    super(path, 'a primary key', 'none', { ...options, message })
    this.kind = kind
  }
}

/**
 * A param is missing or cannot be part of the URL; `reason` continues the sentence "param 'id' …".
 *
 * @example new UrlParamError('getUser', '/user/:id', 'id', 'is missing')
 */
export class UrlParamError extends RoundtableError {
  override readonly name: string = 'UrlParamError'
  override readonly code: string = 'URL_PARAM'
  declare readonly endpoint: string
  declare readonly template: string
  declare readonly param: string
  declare readonly reason: string

  constructor(endpoint: string, template: string, param: string, reason: string, options?: ErrorOptions) {
    const hint =
      process.env.NODE_ENV === 'production'
        ? ''
        : `${reason === 'is missing' ? ' Pass null in place of the arguments for "not yet".' : ''}${errorPage('URL_PARAM')}`
    super(`${safeUrl(endpoint)}: param '${param}' of ${safeUrl(template)} ${reason}.${hint}`, options)
    this.endpoint = safeUrl(endpoint)
    this.template = safeUrl(template)
    this.param = param
    this.reason = reason
  }
}

/**
 * The params change the origin of the endpoint's URL; nothing was sent.
 *
 * @example new UrlOriginError('getFile', 'https://api.test', 'https://evil.test')
 */
export class UrlOriginError extends RoundtableError {
  override readonly name: string = 'UrlOriginError'
  override readonly code: string = 'URL_ORIGIN'
  declare readonly endpoint: string
  declare readonly expected: string
  declare readonly found: string

  constructor(endpoint: string, expected: string, found: string, options?: ErrorOptions) {
    const hint =
      process.env.NODE_ENV === 'production'
        ? ''
        : ` Check the params, or name the host in urlPrefix.${errorPage('URL_ORIGIN')}`
    super(`${safeUrl(endpoint)}: the URL leads to ${safeUrl(found)} instead of ${safeUrl(expected)}.${hint}`, options)
    this.endpoint = safeUrl(endpoint)
    this.expected = safeUrl(expected)
    this.found = safeUrl(found)
  }
}

/**
 * An argument cannot be part of a key; `path` is its path (`$.filter.when`), `reason` continues the sentence "the argument
 * at $.filter …". `endpoint` is the name of the endpoint, if known.
 *
 * @example new KeyArgError('$.filter', 'is a function', { endpoint: 'getTodos' })
 */
export class KeyArgError extends RoundtableError {
  override readonly name: string = 'KeyArgError'
  override readonly code: string = 'KEY_ARG'
  declare readonly path: string
  declare readonly reason: string
  declare readonly endpoint: string | undefined

  constructor(path: string, reason: string, options?: ErrorOptions & { endpoint?: string; hint?: string | undefined }) {
    const remedy = process.env.NODE_ENV === 'production' ? '' : ', which has no stable text. Pass plain data instead'
    const where = options?.endpoint === undefined ? 'The' : `${safeUrl(options.endpoint)}: the`
    const message = `${where} argument at ${path} ${reason}${options?.hint ?? remedy}.`
    super(process.env.NODE_ENV === 'production' ? message : message + errorPage('KEY_ARG'), options)
    this.path = path
    this.reason = reason
    this.endpoint = options?.endpoint && safeUrl(options.endpoint)
  }
}

/**
 * An option is invalid, or an argument is not an endpoint or schema; `reason` continues the sentence "Option 'path' …". For
 * an invalid path, `template` is the path and, in development, `position` the index of the mistake.
 *
 * @example new OptionError('pollFrequency', 'must be above 0, found NaN. Leave it out for no polling.')
 */
export class OptionError extends RoundtableError {
  override readonly name: string = 'OptionError'
  override readonly code: string = 'OPTION'
  declare readonly option: string
  declare readonly reason: string
  declare readonly template: string | undefined
  declare readonly position: number | undefined

  constructor(
    option: string,
    reason: string,
    options?: ErrorOptions & { template?: string; position?: number; message?: string },
  ) {
    const message = withoutPasswords(options?.message ?? `Option '${option}' ${reason}`)
    super(process.env.NODE_ENV === 'production' ? message : message + errorPage('OPTION'), options)
    this.option = option
    this.reason = withoutPasswords(reason)
    this.template = options?.template && safeUrl(options.template)
    this.position = options?.position
  }
}

/**
 * Data is nested too deeply to be processed; `depth` is the number of levels.
 *
 * @example new DepthError(20_000)
 */
export class DepthError extends RoundtableError {
  override readonly name: string = 'DepthError'
  override readonly code: string = 'DEPTH'
  declare readonly depth: number

  constructor(depth: number, options?: ErrorOptions) {
    const hint = process.env.NODE_ENV === 'production' ? '' : ` Flatten it in process().${errorPage('DEPTH')}`
    super(`The data is nested deeper than ${depth} levels.${hint}`, options)
    this.depth = depth
  }
}

/**
 * A callback of the application threw; `callback` is its name, `endpoint` the name or key that it ran for, `cause`
 * the error. If a request threw a value that is not an Error, `callback` is `'fetch'` and `status` that value's
 * status, if it has one.
 *
 * @example new CallbackError('errorPolicy', 'getTodos', { cause: new Error('oops') })
 */
export class CallbackError extends RoundtableError {
  override readonly name: string = 'CallbackError'
  override readonly code: string = 'CALLBACK'
  declare readonly callback: string
  declare readonly endpoint: string
  declare readonly status?: number

  constructor(callback: string, endpoint: string, options?: ErrorOptions) {
    const message = `${callback} of ${safeUrl(endpoint)} threw: ${causeText(options?.cause)}. See cause.`
    super(process.env.NODE_ENV === 'production' ? message : message + errorPage('CALLBACK'), options)
    this.callback = callback
    this.endpoint = safeUrl(endpoint)
  }
}

/**
 * A request was not sent, because it names a row that was never created. `key` is its fetch key, `temporaryKey` the
 * row's temporary key, and `creation` the fetch key of the request that should have created the row, whose error is
 * the `cause`.
 *
 * @example new CreationError('PATCH /todos/optimistic:2', 'optimistic:2', 'POST /todos', { cause: new Error('offline') })
 */
export class CreationError extends RoundtableError {
  override readonly name: string = 'CreationError'
  override readonly code: string = 'CREATION'
  declare readonly key: string
  declare readonly temporaryKey: string
  declare readonly creation: string

  constructor(key: string, temporaryKey: string, creation: string, options?: ErrorOptions) {
    const why = options?.cause === undefined ? 'whose response has no key' : 'which failed'
    const hint = process.env.NODE_ENV === 'production' ? '' : ` Create it again first.${errorPage('CREATION')}`
    super(`${safeUrl(key)} names ${temporaryKey}, a new row of ${safeUrl(creation)}, ${why}.${hint}`, options)
    this.key = safeUrl(key)
    this.temporaryKey = temporaryKey
    this.creation = safeUrl(creation)
  }
}

/**
 * The row of this key was deleted by this client. A reader that still shows the row gets this error without a request.
 *
 * @example new DeletedError('GET https://api.test/todos/5')
 */
export class DeletedError extends RoundtableError {
  override readonly name: string = 'DeletedError'
  override readonly code: string = 'DELETED'
  /** The status that a server would send for the missing row. */
  readonly status: number = 404
  declare readonly key: string

  constructor(key: string, options?: ErrorOptions) {
    const hint =
      process.env.NODE_ENV === 'production'
        ? ''
        : ` Leave the page that shows it, or catch its status.${errorPage('DELETED')}`
    super(`${safeUrl(key)} was deleted (404).${hint}`, options)
    this.key = safeUrl(key)
  }
}

/**
 * The store was reset while this request was pending; its response is dropped.
 *
 * @example new ResetError('GET https://api.test/todos')
 */
export class ResetError extends RoundtableError {
  override readonly name: string = 'ResetError'
  override readonly code: string = 'RESET'
  declare readonly key: string

  constructor(key: string, options?: ErrorOptions) {
    const hint =
      process.env.NODE_ENV === 'production' ? '' : ` Fetch it again if you still need it.${errorPage('RESET')}`
    super(`${safeUrl(key)} was dropped because the store was reset.${hint}`, options)
    this.key = safeUrl(key)
  }
}

/**
 * The controller was used after `dispose()`; `action` is the method that was called.
 *
 * @example new DisposedError('fetch')
 */
export class DisposedError extends RoundtableError {
  override readonly name: string = 'DisposedError'
  override readonly code: string = 'DISPOSED'
  declare readonly action: string

  constructor(action: string, options?: ErrorOptions) {
    const hint = process.env.NODE_ENV === 'production' ? '' : ` Make a new Controller.${errorPage('DISPOSED')}`
    super(`${action} came after dispose().${hint}`, options)
    this.action = action
  }
}

/**
 * A dehydrated state cannot be read; `reason` continues the sentence "The dehydrated state …".
 *
 * @example new HydrationError('is of version 9, this library reads version 1')
 */
export class HydrationError extends RoundtableError {
  override readonly name: string = 'HydrationError'
  override readonly code: string = 'HYDRATION'
  declare readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    const hint =
      process.env.NODE_ENV === 'production'
        ? ''
        : ` Start without it, or dehydrate with this library's version.${errorPage('HYDRATION')}`
    super(`The dehydrated state ${reason}.${hint}`, options)
    this.reason = reason
  }
}

function causeText(cause: unknown): string {
  const { message } = (cause ?? {}) as { readonly message?: unknown }
  return typeof message === 'string' ? message : typeof cause === 'string' ? cause : 'no Error'
}

/** True for the error of `fetch` for a relative URL in Node, Deno and Bun: a TypeError that mentions it. */
function isNoUrl(cause: unknown): boolean {
  return cause instanceof TypeError && /\bURL\b/.test(cause.message)
}
