import { All, Collection, Controller, countBy, Entity, resource, Union } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'
import { watch } from './todo-board.js'

class Task extends Entity {
  static override key = 'Task'
  id = ''
  type = ''
  title = ''
  group = ''
}
class Merging extends Entity {
  static override key = 'Merging'
  static override merge(before: object, incoming: object) {
    return { ...before, ...incoming }
  }
  id = ''
  type = ''
  title = ''
  group = ''
}

interface Row {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly group: string
}
type Lists = typeof Collection

/** A class of Collections with these options. */
function listsWith(more: object): Lists {
  class Known extends Collection<[typeof Task]> {
    constructor(members: [typeof Task], options: object | undefined) {
      super(members, { ...options, ...more } as never)
    }
  }
  return Known as unknown as Lists
}

const byTitle = (x: { title?: string }, y: { title?: string }): number => `${x.title}`.localeCompare(`${y.title}`)
const LISTS = {
  'plain lists': Collection,
  'sorted lists': listsWith({ compare: byTitle }),
  'lists with belongs': listsWith({
    belongs: (row: Partial<Row>, { group }: { group?: string }) => row.group === group,
  }),
}
/** What is read and changed, and its class. */
const SCHEMAS = {
  'an entity': [Task, Task],
  'a member of a Union': [new Union({ task: Task }, 'type'), Task],
  'a class with its own merge': [Merging, Merging],
} as const
/** The ways to change a row: what only changes it, and what creates it where it is missing. */
const CHANGES = ['partialUpdate', 'partialUpdate, answered without a body', 'move', 'update'] as const

interface Case {
  readonly lists: keyof typeof LISTS
  readonly schema: keyof typeof SCHEMAS
  readonly change: (typeof CHANGES)[number]
}

interface Order {
  /** True if the deletion comes first. */
  readonly sent: boolean
  readonly applied: boolean
  readonly answered: boolean
  readonly isOptimistic: boolean
}

/** A request on its way: the server applies it when it is told to, and then answers. */
interface Sent {
  readonly line: string
  isOver: boolean
  apply(): void
  answer(): Promise<void>
}

const one: Row = { id: '1', type: 'task', title: 'one', group: 'a' }
const two: Row = { id: '2', type: 'task', title: 'two', group: 'a' }

/** What the server has, and the requests that it was sent. */
function openServer(isEmpty: boolean) {
  const rows = new Map([one, two].map((row) => [row.id, row]))
  const requests: Sent[] = []
  const respond = (method: string, url: string, body: Partial<Row>): Response => {
    const { pathname, searchParams } = new URL(url, 'https://api.test')
    const [, , id] = pathname.split('/')
    const group = searchParams.get('group')
    if (id === undefined) return Response.json([...rows.values()].filter((row) => row.group === group))
    const row = rows.get(id)
    if (row === undefined && method !== 'PUT') return new Response(null, { status: 404 })
    if (method === 'GET') return Response.json(row)
    if (method === 'DELETE') rows.delete(id)
    else rows.set(id, { ...one, ...row, ...body, id })
    const isSilent = method === 'DELETE' || (isEmpty && method === 'PATCH')
    return isSilent ? new Response(null, { status: 204 }) : Response.json(rows.get(id))
  }
  const transport = (input: unknown, { method = 'GET', body }: RequestInit): Promise<Response> =>
    new Promise((resolve) => {
      let response: Response | undefined
      const request: Sent = {
        line: `${method} ${input}`,
        isOver: false,
        apply() {
          response ??= respond(method, String(input), JSON.parse(String(body ?? '{}')))
        },
        async answer() {
          request.isOver = true
          request.apply()
          resolve(response as Response)
          await settle()
        },
      }
      requests.push(request)
    })
  const answerAll = async (): Promise<void> => {
    for (let open = requests; open.length > 0; open = requests.filter(({ isOver }) => !isOver))
      for (const request of open) if (!request.isOver) await request.answer()
  }
  return { rows, requests, transport, answerAll }
}

/** Sends a deletion and a change of a row together, and resolves with what is shown in the end, and what was asked for. */
async function run({ lists, schema: name, change }: Case, { sent, applied, answered, isOptimistic }: Order) {
  const { rows, requests, transport, answerAll } = openServer(change.endsWith('without a body'))
  const clock = new HandClock()
  const controller = new Controller({ env: clock, transport: transport as typeof fetch })
  const [schema, entity] = SCHEMAS[name]
  const tasks = resource({
    path: '/tasks/:id',
    schema: schema as typeof Task,
    searchParams: {} as { group?: string },
    Collection: LISTS[lists],
    optimistic: isOptimistic,
  })
  const all = new All(entity as typeof Task, { compare: byTitle })
  const groups = ['a', 'b'].map((group) => ({ group, query: watch(controller.watch(tasks.getList, { group })) }))
  const detail = watch(controller.watch(tasks.get, { id: '1' }))
  const every = watch(controller.view(all))
  const counts = watch(controller.view(countBy(all, ({ group }) => group)))
  await settle()
  await answerAll()
  const loaded = requests.length

  // Only lists with `belongs` follow a row that a PUT takes to another group.
  const group = change === 'update' && lists !== 'lists with belongs' ? 'a' : 'b'
  const body = { ...(change === 'update' ? one : undefined), title: 'changed', group }
  const endpoint = change === 'move' ? tasks.getList.move : change === 'update' ? tasks.update : tasks.partialUpdate
  const outcomes: string[] = []
  const note = (what: string, call: Promise<unknown>): void => {
    call.then(
      () => outcomes.push(`${what} succeeded`),
      () => outcomes.push(`${what} failed`),
    )
  }
  const start = {
    delete: () => note('delete', controller.fetch(tasks.delete, { id: '1' })),
    change: () => note('change', controller.fetch(endpoint as typeof tasks.partialUpdate, { id: '1' }, body)),
  }
  const inOrder = <Thing>(isDeletionFirst: boolean, deletion: Thing, other: Thing): readonly Thing[] =>
    isDeletionFirst ? [deletion, other] : [other, deletion]
  for (const begin of inOrder(sent, start.delete, start.change)) {
    begin()
    await settle()
  }
  const [deletion, other] = [/^DELETE/, /^(?:PATCH|PUT)/].map((line) => requests.find((each) => line.test(each.line)))
  for (const request of inOrder(applied, deletion, other)) request?.apply()
  for (const request of inOrder(answered, deletion, other)) await request?.answer()
  await answerAll()
  await clock.advance(1_000)
  await answerAll()

  const there = [...rows.values()].sort(byTitle)
  const shown = (data: readonly Row[] | undefined): unknown => data?.map(({ id, title, group }) => [id, title, group])
  return {
    shown: {
      all: shown(every.now as readonly Row[]),
      counts: counts.now,
      lists: groups.map(({ query }) => shown([...(query.now.data ?? [])].sort(byTitle))),
      detail: detail.now.status === 'failed' ? undefined : shown([detail.now.data as Row]),
    },
    server: {
      all: shown(there),
      counts: Object.fromEntries(
        groups
          .map(({ group }) => [group, there.filter((row) => row.group === group).length] as const)
          .filter(([, n]) => n > 0),
      ),
      lists: groups.map(({ group }) => shown(there.filter((row) => row.group === group))),
      detail: rows.has('1') ? shown([rows.get('1') as Row]) : undefined,
    },
    outcomes: outcomes.sort(),
    asked: requests.slice(loaded + 2).map(({ line }) => line),
  }
}

const BOTH = [true, false]
const ORDERS: readonly Order[] = BOTH.flatMap((sent) =>
  BOTH.flatMap((applied) =>
    BOTH.flatMap((answered) => BOTH.map((isOptimistic) => ({ sent, applied, answered, isOptimistic }))),
  ),
)
const CASES: readonly Case[] = (Object.keys(LISTS) as Case['lists'][]).flatMap((lists) =>
  (Object.keys(SCHEMAS) as Case['schema'][]).flatMap((schema) => CHANGES.map((change) => ({ lists, schema, change }))),
)

describe.each(CASES)('a deletion of $schema in flight together with a $change, $lists', (each) => {
  test('in every order of sending, applying and answering, the screen equals the server in the end', async () => {
    for (const order of ORDERS) {
      const { shown, server } = await run(each, order)
      expect(shown, JSON.stringify(order)).toEqual(server)
    }
  })

  // A mutation that is answered without a body asks for its row in any case.
  // A PUT may have created the row again, and without a body nobody knows when a change was applied: then the server is
  // asked.
  if (/^(?:update|partialUpdate, answered without a body)$/.test(each.change)) return
  test('if both succeed the deletion came last, and nobody asks the server', async () => {
    for (const order of ORDERS) {
      const { outcomes, asked } = await run(each, order)
      if (outcomes.every((outcome) => outcome.endsWith('succeeded'))) expect(asked, JSON.stringify(order)).toEqual([])
    }
  })
})
