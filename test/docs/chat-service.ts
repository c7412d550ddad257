import type { Entity, RestEndpoint } from '@roundtable/core'
import { type Backend, backend } from '@roundtable/core/backend'

/** What the guide defines. */
export interface ChatApi {
  readonly MessageResource: Readonly<Record<string, RestEndpoint>>
  readonly Message: typeof Entity
}

/** In place of `fetch`: the server of guides/together, with a chat for each user. Each password is `secret`. */
export function chatService({ MessageResource, Message }: ChatApi) {
  const chats = new Map<string, Backend>()
  const users = new Map<string, string>()
  const service = {
    /** True while it responds with 503. */
    isDown: false,
    chat(name: string): Backend {
      const chat =
        chats.get(name) ?? backend({ MessageResource }, { seed: { Message: [{ id: 1, text: `Hi ${name}` }] } })
      chats.set(name, chat)
      return chat
    },
    texts: (name: string): unknown[] =>
      service
        .chat(name)
        .rows(Message)
        .map(({ text }) => text),
    /** Ends all sessions. */
    endSessions: () => users.clear(),
    async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      const { pathname } = new URL(String(input))
      const headers = new Headers(init?.headers)
      if (pathname === '/login') return login(JSON.parse(String(init?.body)))
      if (service.isDown) return new Response(null, { status: 503 })
      const name = users.get(headers.get('authorization') ?? '')
      if (name === undefined) return new Response(null, { status: 401 })
      const chat = service.chat(name)
      return pathname === '/events' ? events(chat, init?.signal) : chat.fetch(input, init)
    },
  }

  function login({ name, password }: { name: string; password: string }): Response {
    if (password !== 'secret') return new Response(null, { status: 401 })
    const token = `${name} ${users.size}`
    users.set(`Bearer ${token}`, name)
    return Response.json({ id: name.length, name, token })
  }
  return service
}

/** The changes of a chat as server-sent events. */
function events(chat: Backend, signal: AbortSignal | null | undefined): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      stream.enqueue(encoder.encode(':\n\n'))
      const stop = chat.on(({ type, row, id }) =>
        stream.enqueue(encoder.encode(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(row)}\n\n`)),
      )
      signal?.addEventListener('abort', stop)
    },
  })
  // It repeats no events, so a stream that misses some says so.
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'x-event-id': chat.lastChange } })
}
