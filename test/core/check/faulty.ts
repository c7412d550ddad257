import { Entity, resource } from '@roundtable/core'
import { type Backend, backend } from '@roundtable/core/backend'
import type { CheckOptions } from '@roundtable/core/check'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  userId = 0
  title = ''
  done = false
}

export const Todos = resource({ urlPrefix: 'https://api.test', path: '/todos/:id', schema: Todo })
export const PagedTodos = resource({
  urlPrefix: 'https://api.test',
  path: '/todos/:id',
  schema: Todo,
  paginationField: 'page',
})

/** Changes what a request gets. `answer` is that of a server without fault. */
export type Fault = (
  request: Request,
  answer: (request?: Request) => Promise<Response>,
  api: Backend,
) => Response | Promise<Response>

/** A server with one fault, or none, and how it is checked. */
export function openFaulty(fault?: Fault, definition: typeof Todos | typeof PagedTodos = Todos) {
  const rows = Array.from({ length: 9 }, (_, i) => ({ id: i + 1, userId: i % 3, title: `t${i}`, done: i % 2 === 0 }))
  const api = backend({ definition }, { seed: { Todo: rows }, pageSize: 4 })
  const sent: string[] = []
  const transport: CheckOptions['transport'] = async (input, init) => {
    const request = new Request(input, init)
    sent.push(`${request.method} ${new URL(request.url).pathname}`)
    const answer = (other = request): Promise<Response> => api.fetch(other.clone())
    return fault ? await fault(request, answer, api) : await answer()
  }
  const options = {
    example: { userId: 1, title: 'Check', done: false },
    change: { title: 'Changed' },
    filters: ['userId', 'done'],
    transport,
  }
  return { api, sent, options, definition, seeded: rows.length }
}

/** The response with another body. */
export async function withBody(response: Response, change: (body: never) => unknown): Promise<Response> {
  const { ok, status, headers } = response
  if (!ok) return response
  const body = change((await response.json()) as never)
  return Response.json(body, { status, headers: { etag: headers.get('etag') ?? '' } })
}
