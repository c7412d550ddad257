/** The server of the application, in memory, in place of `fetch`. */
export class Server {
  readonly requests: string[] = []
  readonly todos = new Map(
    [1, 2, 3, 4].map((id) => [
      id,
      { id, userId: 1, title: `Todo ${id}`, completed: id === 2, author: { id: 1, name: 'Ada' } },
    ]),
  )
  open = 3
  refuses = false
  /** The requests that wait for `release`. */
  #held: (() => void)[] | undefined

  readonly fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', body } = init
    const url = new URL(String(input))
    this.requests.push([method, url.pathname + url.search, body].filter(Boolean).join(' '))
    // As every network it takes some time.
    await new Promise((resolve) => setTimeout(resolve, 5))
    if (this.#held) await new Promise<void>((resolve) => this.#held?.push(resolve))
    const [status, data] = this.#answer(method, url, body ? JSON.parse(String(body)) : undefined)
    return new Response(JSON.stringify(data), { status, headers: { 'Content-Type': 'application/json' } })
  }

  hold(): void {
    this.#held = []
  }
  release(): void {
    for (const go of this.#held ?? []) go()
    this.#held = undefined
  }

  #answer(method: string, url: URL, body: object | undefined): [status: number, data: unknown] {
    const [, kind, name] = url.pathname.split('/')
    const id = Number(name)
    if (kind === 'stats') return [200, { open: this.open }]
    if (kind === 'team') return [200, { id: 7, name: 'Blue' }]
    if (kind === 'users') return id === 401 ? [401, {}] : [200, { id, name: 'Ada' }]
    if (method === 'POST') {
      const todo = { id: 9, completed: false, author: { id: 1, name: 'Ada' }, ...body } as never
      this.todos.set(9, todo)
      return [201, todo]
    }
    if (name === undefined) {
      const pageOf = (isSecond: boolean) =>
        [...this.todos.values()].filter((todo) => isSecond === [3, 4].includes(todo.id))
      return [200, pageOf(url.searchParams.get('page') === '2')]
    }
    const todo = this.todos.get(id)
    if (!todo) return [404, {}]
    if (this.refuses) return [422, {}]
    if (method === 'DELETE') this.todos.delete(id)
    return [200, Object.assign(todo, body)]
  }
}
