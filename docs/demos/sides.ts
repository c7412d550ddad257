import { Collection, Controller, Entity, resource } from '@roundtable/core'
import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { PageServer, type TodoData } from './page-server.js'

/** What the page shows of the todos, in three places. */
export interface Shown {
  readonly all?: readonly TodoData[] | undefined
  readonly open?: readonly TodoData[] | undefined
  readonly detail?: TodoData | undefined
}

/** One of the two ways to keep the same data, with a server of its own. */
export interface Side {
  readonly server: PageServer
  shown(): Shown
  /** Reads, and calls the listener for each change and each request, until the returned function is called. */
  start(onChange: () => void): () => void
  change(change: { title?: string; done?: boolean }): Promise<unknown>
}

// — rows —

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
  done = false
}

const TodoResource = resource({ path: '/todos/:id', schema: Todo, optimistic: true }).extend('getList', {
  searchParams: {} as { done?: boolean } | undefined,
  schema: new Collection([Todo], { belongs: (todo, { done }) => done === undefined || String(todo.done) === done }),
})

export function rowSide(): Side {
  const server = new PageServer()
  const transport = async (input: unknown, { method = 'GET', body }: RequestInit) =>
    Response.json(await server.respond(method, String(input), body ? JSON.parse(String(body)) : undefined))
  const controller = new Controller({ transport })
  const all = controller.watch(TodoResource.getList)
  const open = controller.watch(TodoResource.getList, { done: false })
  const detail = controller.watch(TodoResource.get, { id: 1 })
  return {
    server,
    shown: () => ({ all: all.getSnapshot().data, open: open.getSnapshot().data, detail: detail.getSnapshot().data }),
    start: (onChange) => together([server, all, open, detail], onChange),
    change: (change) => controller.fetch(TodoResource.partialUpdate, { id: 1 }, change),
  }
}

// — responses —

export function responseSide(): Side {
  const server = new PageServer()
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } })
  const read = <Data>(queryKey: readonly unknown[], path: string) =>
    new QueryObserver<Data>(client, { queryKey, queryFn: () => server.respond('GET', path) as Promise<Data> })
  const all = read<readonly TodoData[]>(['todos'], '/todos')
  const open = read<readonly TodoData[]>(['todos', { done: false }], '/todos?done=false')
  const detail = read<TodoData>(['todo', 1], '/todos/1')
  return {
    server,
    shown: () => ({
      all: all.getCurrentResult().data,
      open: open.getCurrentResult().data,
      detail: detail.getCurrentResult().data,
    }),
    start: (onChange) => together([server, all, open, detail], onChange),
    async change(change) {
      await server.respond('PATCH', '/todos/1', change)
      // Each key that may hold this todo.
      await Promise.all([
        client.invalidateQueries({ queryKey: ['todos'] }),
        client.invalidateQueries({ queryKey: ['todo', 1] }),
      ])
    },
  }
}

interface Source {
  subscribe(listener: () => void): () => void
}

function together(sources: readonly Source[], onChange: () => void): () => void {
  const stops = sources.map((source) => source.subscribe(() => onChange()))
  return () => {
    for (const stop of stops) stop()
  }
}
