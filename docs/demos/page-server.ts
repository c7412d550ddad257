export interface TodoData {
  readonly id: number
  readonly title: string
  readonly done: boolean
}

/** A REST server inside of the page, which takes a second for everything. */
export class PageServer {
  isRefusing = false
  /** The requests since this was last emptied: `GET /todos`. */
  readonly sent: string[] = []
  readonly #listeners = new Set<() => void>()
  #todos: readonly TodoData[] = [
    { id: 1, title: 'Sharpen the pencil', done: false },
    { id: 2, title: 'Write a letter', done: false },
    { id: 3, title: 'Buy stamps', done: true },
  ]

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async respond(method: string, url: string, body?: object): Promise<unknown> {
    this.sent.push(`${method} ${url}`)
    for (const listener of this.#listeners) listener()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    if (method === 'PATCH' && this.isRefusing) throw new Error('Refused')
    const { pathname, searchParams } = new URL(url, 'http://page.test')
    const id = Number(pathname.split('/')[2])
    if (method === 'PATCH') this.#todos = this.#todos.map((todo) => (todo.id === id ? { ...todo, ...body } : todo))
    if (id) return this.#todos.find((todo) => todo.id === id)
    const done = searchParams.get('done')
    return this.#todos.filter((todo) => done === null || String(todo.done) === done)
  }
}
