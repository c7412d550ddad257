import {
  Entity,
  Invalidate,
  RestEndpoint,
  type RestGenerics,
  resource,
} from '@roundtable/core'
import { live } from '@roundtable/core/live'
import { sse } from '@roundtable/core/sse'

export interface User {
  readonly id: number
  readonly name: string
  readonly token: string
}

/** Of the running session; `session.ts` sets it. */
export const auth = { token: '' }
const authorization = () => ({ authorization: `Bearer ${auth.token}` })

class Api<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
  override getHeaders(headers: Record<string, string>): HeadersInit {
    return { ...headers, ...authorization() }
  }
}

const urlPrefix = 'https://api.test'

export class Message extends Entity {
  static override key = 'Message'
  id = 0
  text = ''
}

export const MessageResource = resource({
  urlPrefix,
  path: '/messages/:id',
  schema: Message,
  Endpoint: Api,
  optimistic: true,
})

export const getMessages = MessageResource.getList.extend(
  live({
    name: 'messages',
    url: `${urlPrefix}/events`,
    wire: sse(),
    headers: authorization, // called for each connection
    messages: {
      created: MessageResource.getList.push.schema,
      changed: Message,
      deleted: new Invalidate(Message),
    },
  }),
)

/** Without a token, so that its 401 means a wrong password. */
export const login = new RestEndpoint({
  urlPrefix,
  path: '/login',
  method: 'POST',
  body: {} as { name: string; password: string },
  process: (user: User) => user,
})
