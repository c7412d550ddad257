import type { EndpointInterface } from '../endpoint/options.js'
import { CallbackError, RoundtableError } from '../util/errors.js'
import { copyPlain } from '../util/plain.js'
import { checkEndpoint } from './given.js'

/** A call's arguments as they are now: a getter among them might say something else at each look. */
export function readOnce(args: readonly unknown[]): readonly unknown[] {
  return args.map((arg) => copyPlain(arg))
}

/**
 * The key of a call.
 *
 * @throws OptionError if it is no endpoint that is called;
 * our own errors as they are (a param that cannot be); `CallbackError` for what a user's `key` throws
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
