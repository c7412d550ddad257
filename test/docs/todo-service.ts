interface Row {
  readonly id: number
  readonly userId?: number
  readonly name?: string
  readonly title?: string
  readonly completed?: boolean
}

/** A request that the service was sent: `GET /todos?userId=1`. */
type Sent = string

/** In place of `fetch`: the service that the pages talk to, with a few rows. `fail` lets it refuse a kind of rows. */
export function todoService(): {
  readonly fetch: typeof fetch
  readonly sent: readonly Sent[]
  /** The bodies of what was sent, of requests that had one. */
  readonly bodies: readonly unknown[]
  fail(kind: string | undefined): void
  /** Holds what is requested from now on back, until the returned function is called. */
  hold(): () => void
} {
  // A few of the rows that the real one has.
  const users: readonly Row[] = [
    { id: 1, name: 'Leanne Graham' },
    { id: 2, name: 'Ervin Howell' },
  ]
  let todos: readonly Row[] = [
    ...titlesOfTheFirst.map((title, at) => ({ id: at + 1, userId: 1, title, completed: DONE.has(at + 1) })),
    { id: 21, userId: 2, title: 'suscipit repellat esse quibusdam voluptatem incidunt', completed: false },
  ]
  const sent: Sent[] = []
  const bodies: unknown[] = []
  let failing: string | undefined
  let held = Promise.resolve()

  function answer(method: string, url: URL, body: object): unknown {
    const [, kind, id] = url.pathname.split('/')
    if (kind !== 'users' && kind !== 'todos') return notFound
    const rows = kind === 'users' ? users : todos
    if (method === 'POST') {
      const row: Row = { ...body, id: 201 }
      todos = [...todos, row]
      return row
    }
    if (method === 'PATCH' || method === 'PUT') {
      todos = todos.map((todo) => (String(todo.id) === id ? { ...todo, ...body } : todo))
      return todos.find((todo) => String(todo.id) === id)
    }
    if (method === 'DELETE') {
      todos = todos.filter((todo) => String(todo.id) !== id)
      return {}
    }
    if (id !== undefined) return rows.find((row) => String(row.id) === id) ?? notFound
    return listed(rows, url.searchParams)
  }

  return {
    sent,
    bodies,
    fail(kind) {
      failing = kind
    },
    hold() {
      let release = (): void => {}
      held = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
    fetch: async (input, init) => {
      const url = new URL(String(input))
      const method = init?.method ?? 'GET'
      sent.push(`${method} ${url.pathname}${url.search}`)
      if (init?.body) bodies.push(JSON.parse(String(init.body)))
      await held
      if (failing !== undefined && url.pathname.startsWith(`/${failing}`))
        return new Response('{}', { status: 503, headers: { 'content-type': 'application/json' } })
      const found = answer(method, url, init?.body ? JSON.parse(String(init.body)) : {})
      return Response.json(found, { status: found === notFound ? 404 : 200 })
    },
  }
}

const notFound = {}

/** The todos of the first user, as the real service has them. */
const titlesOfTheFirst = [
  'delectus aut autem',
  'quis ut nam facilis et officia qui',
  'fugiat veniam minus',
  'et porro tempora',
  'laboriosam mollitia et enim quasi adipisci quia provident illum',
  'qui ullam ratione quibusdam voluptatem quia omnis',
  'illo expedita consequatur quia in',
  'quo adipisci enim quam ut ab',
  'molestiae perspiciatis ipsa',
  'illo est ratione doloremque quia maiores aut',
  'vero rerum temporibus dolor',
  'ipsa repellendus fugit nisi',
  'et doloremque nulla',
  'repellendus sunt dolores architecto voluptatum',
  'ab voluptatum amet voluptas',
  'accusamus eos facilis sint et aut voluptatem',
  'quo laboriosam deleniti aut qui',
  'dolorum est consequatur ea mollitia in culpa',
  'molestiae ipsa aut voluptatibus pariatur dolor nihil',
  'ullam nobis libero sapiente ad optio sint',
]
const DONE: ReadonlySet<number> = new Set([4, 8, 10, 11, 12, 14, 15, 16, 17, 19, 20])

function listed(rows: readonly Row[], params: URLSearchParams): readonly Row[] {
  const userId = params.get('userId')
  const q = params.get('q')
  const page = Number(params.get('_page') ?? 1) - 1
  const limit = Number(params.get('_limit') ?? rows.length)
  return rows
    .filter((row) => userId === null || String(row.userId) === userId)
    .filter((row) => q === null || row.title?.includes(q))
    .slice(page * limit, (page + 1) * limit)
}
