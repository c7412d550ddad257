import { RestEndpoint, type RestGenerics } from '@roundtable/core'
import { switched } from '../app/switches.js'
import { noteSent } from '../live/own-changes.js'

/**
 * Sends every request of the page, with the activity panel's switches in the URL. They are not part of the key, since
 * a slow response is still the same response.
 */
export class BoardEndpoint<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
  override fetchResponse(input: string, init: RequestInit): Promise<Response> {
    noteSent(init.headers)
    return super.fetchResponse(switched(input, init.method ?? 'GET'), init)
  }
}
