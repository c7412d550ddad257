import { RestEndpoint, type RestGenerics } from '@roundtable/core'
import { switched } from '../app/switches.js'
import { noteSent } from '../live/own-changes.js'

/**
 * Every request of the page: the switches of the activity panel go on its address. They are no part of its key, since a
 * slow answer is still the same answer.
 */
export class BoardEndpoint<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
  override fetchResponse(input: string, init: RequestInit): Promise<Response> {
    noteSent(init.headers)
    return super.fetchResponse(switched(input, init.method ?? 'GET'), init)
  }
}
