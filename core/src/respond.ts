import type { EndpointInterface, RequestPart, Softness } from './endpoint/options.js'
import type { RequestError, Times } from './endpoint/result.js'
import type { NormalizeOptions } from './normalize/options.js'
import { normalizeInput } from './normalize/visit.js'
import { isSchemaObject } from './schema/schema.js'
import { Change } from './table/change.js'
import { CallbackError, SchemaError } from './util/errors.js'
import { copyPlain, freezeInDevelopment, isPlain } from './util/plain.js'
import { safeUrl } from './util/safe-url.js'

/** The parts of the store that are needed to convert a response to a change. */
export interface RespondOptions extends NormalizeOptions {
  /** Returns the current result of a key, for `update`. */
  resultOf(key: string): unknown
}

/**
 * Returns the change that a response makes; the only caller of `normalize`. Undefined for an empty response of an endpoint
 * with a schema, whose meaning the caller decides.
 *
 * @throws SchemaError if the response does not match the schema; CallbackError if `update` throws
 */
export function respond(endpoint: EndpointInterface, data: unknown, options: RespondOptions): Change | undefined {
  const { schema } = endpoint
  const hasSchema = schema !== undefined && schema !== null
  const isEmpty = data === null || data === undefined || data === ''
  if (isEmpty && hasSchema && !(isSchemaObject(schema) && schema.takesEmpty === true)) return undefined
  let change: Change
  try {
    if (hasSchema) change = normalizeInput(schema, data ?? null, options)
    else {
      change = new Change()
      // The response of a mutation is not stored.
      change.result = endpoint.sideEffect === true ? data : own(data, options.isTransferred)
    }
  } catch (error) {
    throw withFetchKey(error, endpoint, options.args)
  }
  const [membership] = change.memberships
  // Only a `RestEndpoint` is certain to have a method.
  const { method } = endpoint as { readonly method?: unknown }
  change.mayCreate = membership ? membership.op === 'add' : String(method).toUpperCase() !== 'PATCH'
  if (endpoint.update !== undefined) applyUpdate(endpoint, change, options)
  return change
}

/** Adds the fetch key to the error of a response that does not match its schema: as a field, and before the message. */
export function withFetchKey<Thrown>(error: Thrown, endpoint: EndpointInterface, args: readonly unknown[]): Thrown {
  if (!(error instanceof SchemaError)) return error
  // The arguments are those of the call.
  const key = safeUrl(endpoint.key(...(args as never)))
  const name = safeUrl(endpoint.name ?? '')
  const message = `${key.includes(name) ? key : `${name} (${key})`}: ${error.message}`
  // Some engines copy the message to the stack when the error is created.
  const stack = error.stack?.replace(error.message, () => message)
  return Object.assign(error, { endpoint: name, key, message, stack })
}

/** Returns the error of a read without a response body. */
export function emptyBody(endpoint: EndpointInterface, fetchKey: string): SchemaError {
  const key = safeUrl(fetchKey)
  const hint = process.env.NODE_ENV === 'production' ? '' : ' Return data, or leave out the schema.'
  const message = `${key} responded without a body, but its schema needs one.${hint}`
  const error = new SchemaError('$', 'data', 'an empty body', { message })
  return Object.assign(error, { endpoint: safeUrl(endpoint.name ?? ''), key })
}

/** Returns the store's own copy of plain data, which no other code can change. Other values, such as a Blob, are shared. */
function own(data: unknown, isTransferred = false): unknown {
  return isPlain(data) ? freezeInDevelopment(isTransferred ? data : copyPlain(data)) : data
}

function applyUpdate(endpoint: EndpointInterface, change: Change, options: RespondOptions): void {
  try {
    // The arguments are those of the call, so they have the endpoint's own types.
    const updaters = endpoint.update?.(change.result as never, ...(options.args as never)) ?? {}
    for (const [key, updater] of Object.entries(updaters)) {
      change.results.set(key, own(updater(options.resultOf(key))))
    }
  } catch (cause) {
    throw new CallbackError('update', endpoint.key(...(options.args as never)), { cause })
  }
}

/** Returns whether an error leaves stale data on the screen, by the parts and the endpoint's `errorPolicy`. */
export function policyOf(
  endpoint: EndpointInterface,
  error: Error,
  { key, response }: { readonly key: string; readonly response: Times | undefined },
  parts: readonly RequestPart[],
): Softness | undefined {
  let who = 'errorPolicy'
  try {
    for (const part of parts) {
      who = part.name
      const softness = part.failed?.(error, { endpoint, response })
      if (softness !== undefined) return softness
    }
    who = 'errorPolicy'
    // A policy may read `status`, which other errors lack.
    return endpoint.errorPolicy?.(error as RequestError)
  } catch (cause) {
    throw new CallbackError(who, key, { cause })
  }
}
