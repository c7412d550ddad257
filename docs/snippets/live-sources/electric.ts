import { NetworkError } from '@roundtable/core'
import { LiveRefusedError, type Wire } from '@roundtable/core/live'

interface Change {
  readonly value?: Readonly<Record<string, unknown>>
  readonly headers: { readonly operation?: string }
}

/** A wire for a shape. Its position is a log and an offset in it. */
export const electric: Wire = async function* (context) {
  const { url, headers, signal, send, lastEventId } = context
  let [handle = '', offset = 'now'] = lastEventId?.split(' ') ?? []
  let cursor = ''
  for (let isOpen = false; ; isOpen = true) {
    const address = new URL(url)
    const { searchParams } = address
    searchParams.set('offset', offset)
    if (handle !== '') searchParams.set('handle', handle)
    // The server responds to the first request at once, to others when there is news.
    if (isOpen) searchParams.set('live', 'true')
    if (cursor !== '') searchParams.set('cursor', cursor)
    const response = await send(address.href, { headers, signal })
    const { status, ok } = response
    const read = (name: string) => response.headers.get(`electric-${name}`)
    if (status === 401 || status === 403)
      throw new LiveRefusedError(url, { status })
    // The log is gone: drop the position, and fetch mounted data.
    if (status === 409) yield [{ type: 'opened' }]
    if (!ok) throw new NetworkError(response)
    offset = read('offset') ?? offset
    handle = read('handle') ?? handle
    cursor = read('cursor') ?? cursor
    const id = `${handle} ${offset}`
    if (!isOpen) yield [{ type: 'opened', id: lastEventId ?? id }]
    const changes: Change[] = status === 204 ? [] : await response.json()
    yield changes.flatMap(
      ({ headers: { operation: type }, value: data }) =>
        type === undefined ? [] : [{ type, data }],
    )
    yield [{ id }]
  }
}
