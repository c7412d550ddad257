import type { EndpointInterface } from '../endpoint/options.js'
import { CallbackError, RoundtableError } from '../util/errors.js'
import { copyPlain } from '../util/plain.js'
import { checkEndpoint } from './given.js'

/** Copies a call's arguments once, since a getter among them might return another value on each read. */
export function readOnce(args: readonly unknown[]): readonly unknown[] {
  return args.map((arg) => copyPlain(arg))
}

/**
 * The key of a call.
 *
 * @throws OptionError if the value is not an endpoint; the library's own errors unchanged (such as for an invalid param);
 * `CallbackError` for an error of a custom `key`
 */
export function keyOf(endpoint: EndpointInterface, args: readonly unknown[]): string {
  checkEndpoint(endpoint)
  try {
    // The arguments were checked by the types of the verb that took them.
    return endpoint.key(...(args as never))
  } catch (cause) {
    if (cause instanceof RoundtableError) throw cause
    throw new CallbackError('key', endpoint.name ?? 'an endpoint', { cause })
  }
}
