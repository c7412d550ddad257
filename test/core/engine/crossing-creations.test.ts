import { Collection, Controller, Entity, resource, Union } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'
import { watch } from './todo-board.js'

class Task extends Entity {
  static override key = 'Task'
  id = ''
  type = ''
  group = ''
  note = 'unknown'
  votes = -1
}
class Merging extends Task {
  static override key = 'Merging'
  static override merge(before: object, incoming: object) {
    return { ...before, ...incoming }
  }
}

interface Row {
  readonly id: string
  readonly type: string
  readonly group: string
  readonly note: string
  readonly votes: number
}

class Knowing extends Collection<[typeof Task]> {
  constructor(members: [typeof Task], options: object | undefined) {
    super(members, {
      ...options,
      belongs: (row: Partial<Row>, { group }: Partial<Row>) => row.group === group,
    } as never)
  }
}
const LISTS = { 'plain lists': Collection, 'lists with belongs': Knowing as unknown as typeof Collection }
const SCHEMAS = {
  'an entity': Task,
  'a member of a Union': new Union({ task: Task }, 'type') as unknown as typeof Task,
  'a class with its own merge': Merging as typeof Task,
}
const BOTH = [true, false]
const CASES = (Object.keys(LISTS) as (keyof typeof LISTS)[]).flatMap((lists) =>
  (Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[]).flatMap((schema) =>
    BOTH.flatMap((optimistic) => BOTH.map((answersWhole) => ({ lists, schema, optimistic, answersWhole }))),
  ),
)

function orders<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items]
  return items.flatMap((first) => orders(items.filter((item) => item !== first)).map((rest) => [first, ...rest]))
}

/**
 * A server that applies requests in the order in which they were sent. Its lists do not contain `note` and `votes`, and the
 * responses to changes contain the whole row or only the change.
 */
function openServer(answersWhole: boolean) {
  const rows = new Map<string, Row>([['1', { id: '1', type: 'task', group: 'a', note: 'old', votes: 5 }]])
  const apply = (method: string, url: string, body: Partial<Row>): Response => {
    const { pathname, searchParams } = new URL(url, 'https://api.test')
    const id = pathname.split('/')[2] ?? body.id ?? ''
    if (method === 'GET') {
      const members = [...rows.values()].filter(({ group }) => group === searchParams.get('group'))
      return Response.json(members.map(({ note: _, votes: __, ...summary }) => summary))
    }
    if (method === 'DELETE') return new Response(null, { status: rows.delete(id) ? 204 : 404 })
    const before = rows.get(id)
    if ((before === undefined) !== (method === 'POST')) return new Response(null, { status: 409 })
    const row = { id, type: 'task', group: '', note: '', votes: 0, ...before, ...body }
    rows.set(id, row)
    return Response.json(answersWhole || method === 'POST' ? row : { id, type: 'task', ...body })
  }
  const open: { readonly line: string; answer(): Promise<void> }[] = []
  const transport = (input: unknown, { method = 'GET', body }: RequestInit): Promise<Response> => {
    const response = apply(method, String(input), JSON.parse(String(body ?? '{}')))
    return new Promise((resolve) => {
      const answer = async (): Promise<void> => {
        resolve(response)
        await settle()
      }
      open.push({ line: `${method} ${input}`, answer })
    })
  }
  const answerAll = async (): Promise<void> => {
    while (open.length > 0) await open.shift()?.answer()
  }
  return { rows, open, transport: transport as typeof fetch, answerAll }
}

describe.each(CASES)('$schema in $lists, optimistic: $optimistic, whole rows: $answersWhole', (each) => {
  const { lists, schema, optimistic, answersWhole } = each
  test('a row deleted, created again, edited and moved at a time ends up as the server has answered', async () => {
    for (const order of orders([0, 1, 2, 3])) {
      const { rows, open, transport, answerAll } = openServer(answersWhole)
      const clock = new HandClock()
      const controller = new Controller({ env: clock, transport })
      const tasks = resource({
        path: '/tasks/:id',
        schema: SCHEMAS[schema],
        searchParams: {} as { group?: string },
        Collection: LISTS[lists],
        optimistic,
      })
      const [a, b] = ['a', 'b'].map((group) => watch(controller.watch(tasks.getList, { group })))
      await settle()
      await answerAll()
      const id = '1'
      controller.fetch(tasks.delete, { id }).catch(() => {})
      controller.fetch(tasks.getList.push, { id, type: 'task', group: 'a', note: 'new', votes: 1 }).catch(() => {})
      controller.fetch(tasks.partialUpdate, { id }, { votes: 2 }).catch(() => {})
      controller.fetch(tasks.getList.move, { id }, { group: 'b' }).catch(() => {})
      await settle()
      const sent = open.splice(0)
      expect(sent.map(({ line }) => line.split(' ')[0])).toEqual(['DELETE', 'POST', 'PATCH', 'PATCH'])
      for (const i of order) await sent[i]?.answer()
      await answerAll()
      await clock.advance(1_000)
      await answerAll()
      expect(rows.get(id)).toEqual({ id, type: 'task', group: 'b', note: 'new', votes: 2 })
      const shown = [a, b].map((list) => list?.now.data?.map((row) => ({ ...row })))
      expect(shown, `answered ${order}`).toEqual([[], [rows.get(id)]])
    }
  })
})
