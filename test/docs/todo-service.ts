import { Collection, Entity, resource } from '@roundtable/core'
import { backend } from '@roundtable/core/backend'

class User extends Entity {
  static override key = 'User'
  id = 0
  name = ''
}

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  userId = 0
  title = ''
  completed = false
}

/** What the service has, as the pages define it; the search is one of its own. */
const definitions = {
  users: resource({ path: '/users/:id', schema: User }),
  todos: resource({ path: '/todos/:id', schema: Todo, paginationField: '_page' }).extend('getList', {
    schema: new Collection([Todo], {
      belongs: ({ userId, title }, args: { readonly userId?: string; readonly q?: string }) =>
        String(userId) === (args.userId ?? String(userId)) && String(title).includes(args.q ?? ''),
    }),
  }),
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
  const api = backend(definitions, { seed: { User: users, Todo: todos }, pageSize: todos.length })
  // As the real one, it gives the first new todo the id 201.
  api.put(Todo, { id: 200 })
  api.remove(Todo, 200)
  const sent: Sent[] = []
  const bodies: unknown[] = []
  let failing: string | undefined
  let held = Promise.resolve()

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
      const response = await api.fetch(url, init)
      // What the real one does not have is an empty object.
      return response.ok ? response : Response.json({}, { status: 404 })
    },
  }
}

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

/** A few of the rows that the real one has. */
const users: readonly object[] = [
  { id: 1, name: 'Leanne Graham' },
  { id: 2, name: 'Ervin Howell' },
]
const todos: readonly object[] = [
  ...titlesOfTheFirst.map((title, at) => ({ id: at + 1, userId: 1, title, completed: DONE.has(at + 1) })),
  { id: 21, userId: 2, title: 'suscipit repellat esse quibusdam voluptatem incidunt', completed: false },
]
