import { Collection, Controller, Entity, poll, RestEndpoint, resource, revalidate } from '@roundtable/core'

/** What a reader shows: nothing, one todo, a price that is polled, or a list with pages. */
export interface Shown {
  readonly part: 'none' | 'todo' | 'price' | 'list'
  readonly id: string
}

export class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
}

export const TodoResource = resource({ path: '/todos/:id', schema: Todo })
export const getPrice = new RestEndpoint({ path: '/prices/:id', schema: undefined, pollFrequency: 5_000 })
export const getList = new RestEndpoint({
  path: '/lists/:id',
  searchParams: {} as { page?: number },
  schema: new Collection([Todo]),
  paginationField: 'page',
})

/** A thousand rows, of which each poll changes all. */
const getMany = new RestEndpoint({ path: '/many', schema: [Todo], pollFrequency: 1_000 })

export const controller: Controller = new Controller({ managers: [revalidate()], dataExpiryLength: 60_000 })

/** The server, which the test makes wait or fail. */
const server = {
  fails: false,
  waiting: undefined as (() => void)[] | undefined,
  /** The price that does not change by itself. */
  steady: 1,
}

globalThis.fetch = async (input, init) => {
  const url = new URL(String(input), location.href)
  const id = url.pathname.split('/').at(-1) ?? ''
  const { waiting } = server
  if (waiting !== undefined && (init?.method ?? 'GET') === 'GET')
    await new Promise<void>((resolve) => waiting.push(resolve))
  if (server.fails) return Response.json({}, { status: 400 })
  if (url.pathname === '/prices/steady') return Response.json(server.steady)
  if (url.pathname.startsWith('/prices')) return Response.json(performance.now())
  if (url.pathname === '/many')
    return Response.json(Array.from({ length: 1_000 }, (_, i) => ({ id: `m${i}`, title: `${performance.now()}` })))
  if (url.pathname.startsWith('/todos'))
    return Response.json({ id, title: `todo ${id}`, ...(typeof init?.body === 'string' && JSON.parse(init.body)) })
  const page = Number(url.searchParams.get('page') ?? 1)
  return Response.json([{ id: `${id}-${page}`, title: 'a member' }])
}

/** Polls many rows and shows some of them, as a page does. */
function pollMany(element: HTMLElement): void {
  const rows = controller.watch(getMany)
  const show = (): void => {
    element.textContent = (rows.getSnapshot().data ?? [])
      .slice(0, 50)
      .map(({ title }) => title)
      .join(' ')
  }
  rows.subscribe(show)
  controller.observe(poll, getMany).subscribe(() => {})
}

Object.assign(window, { server, controller, TodoResource, Todo, pollMany })

/** What a read shows. */
export const told = (data: unknown, error: Error | undefined): string => error?.name ?? JSON.stringify(data) ?? '…'
/** Drops the error that a reader shows. */
export const retry = (error: Error | undefined): void => {
  if (error !== undefined) controller.dropError(error)
}
