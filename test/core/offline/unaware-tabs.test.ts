import { Collection, RestEndpoint, type Transport } from '@roundtable/core'
import { outbox } from '@roundtable/core/offline'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from '../engine/clock.js'
import { Device } from './tabs-harness.js'
import { openApp, type StoredTask, Task, TaskServer } from './todo-server.js'

const shared = { urlPrefix: 'https://api.test', path: '/tasks/:id', body: {} as Partial<StoredTask> } as const
const get = new RestEndpoint({ ...shared, body: undefined, schema: Task })

function endpointsOf(belongs?: (task: { done?: boolean }, args: { done?: string }) => boolean) {
  const lists = new Collection([Task], (belongs && { belongs }) as never)
  return {
    getList: get.extend({ path: '/tasks', searchParams: {} as { done: string }, schema: lists }),
    edit: new RestEndpoint({ ...shared, method: 'PATCH', schema: Task }),
    move: new RestEndpoint({ ...shared, method: 'PATCH', schema: lists.move }),
  }
}

const plain = endpointsOf()
const kept = endpointsOf(({ done }, args) => `${done}` === args.done)

/** A change is sent, then applied by the server, then answered. */
type Step = 'A sends' | 'A is applied' | 'A is answered' | 'B sends' | 'B is applied' | 'B is answered'

function merged(a: readonly Step[], b: readonly Step[]): readonly (readonly Step[])[] {
  const [first, ...left] = a
  const [other, ...more] = b
  if (first === undefined) return [b]
  if (other === undefined) return [a]
  return [...merged(left, b).map((rest) => [first, ...rest]), ...merged(a, more).map((rest) => [other, ...rest])]
}

const ORDERS = merged(['A sends', 'A is applied', 'A is answered'], ['B sends', 'B is applied', 'B is answered'])

async function rest(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await settle()
    await new Promise(setImmediate)
  }
}

/** Both tabs show a row and two lists, change the row, and hear of each other afterwards. */
async function play(
  order: readonly Step[],
  { getList, change, bodies, readBy }: Play,
): Promise<{ readonly shown: readonly unknown[]; readonly there: unknown; readonly asked: number }> {
  const server = new TaskServer()
  server.add('one')
  server.add('two')
  const device = new Device()
  const clock = new HandClock()
  let asked = 0
  const open = async () => {
    const tab = device.open()
    const gates: (() => void)[] = []
    const gate = () => new Promise<void>((go) => gates.push(go))
    const transport: Transport = async (input, init, endpoint) => {
      if (init.method === 'PATCH') await gate()
      else asked++
      const response = await server.transport(input, init, endpoint)
      if (init.method === 'PATCH') await gate()
      return response
    }
    const app = await openApp(tab.log, server, { env: clock, transport, offlineOptions: { outbox: outbox({}) } })
    return { ...app, gates }
  }
  const tabs = { A: await open(), B: await open() }
  const pass = async (): Promise<void> => {
    await rest()
    await clock.advance(100)
    await rest()
  }
  for (const name of readBy) {
    for (const done of ['false', 'true']) await tabs[name].controller.fetch(getList, { done })
    await pass()
  }
  const queries = [tabs.A, tabs.B].map(({ controller }) => [
    controller.watch(getList, { done: 'false' }),
    controller.watch(getList, { done: 'true' }),
    controller.watch(get, { id: 1 }),
  ])
  for (const query of queries.flat()) query.subscribe(() => {})
  await pass()
  asked = 0
  for (const step of order) {
    const name = step.startsWith('A') ? 'A' : 'B'
    const { controller, gates } = tabs[name]
    if (step.endsWith('sends')) void controller.fetch(change, { id: 1 }, bodies[name])
    else gates.shift()?.()
    await rest()
  }
  await pass()
  await pass()
  const shown = queries.map((of) => {
    const [undone, done, row] = of.map((query) => query.getSnapshot().data) as [Task[], Task[], Task]
    return [undone, done, [row]].map((tasks) => tasks.map(({ id, title }) => `${id} ${title}`).toSorted())
  })
  const all = [...server.tasks.values()]
  const isIn = (is: boolean) => all.flatMap(({ id, title, done }) => (done === is ? `${id} ${title}` : []))
  for (const { controller } of [tabs.A, tabs.B]) controller.dispose()
  return { shown, there: [isIn(false), isIn(true), [`1 ${server.tasks.get(1)?.title}`]], asked }
}

interface Play {
  readonly getList: (typeof plain)['getList']
  readonly change: (typeof plain)['edit' | 'move']
  readonly bodies: { readonly A: Partial<StoredTask>; readonly B: Partial<StoredTask> }
  readonly readBy: readonly ('A' | 'B')[]
}

const apart = { A: { title: 'a', done: true }, B: { title: 'b', done: false } }
const alike = { A: { title: 'a', done: true }, B: { title: 'b', done: true } }

describe('two tabs change one row outside of the outbox, and do not know of each other', () => {
  test.each([
    { what: 'moves to two lists', play: { ...plain, change: plain.move, bodies: apart, readBy: ['A', 'B'] } },
    {
      what: 'the same, of lists that only one tab has read',
      play: { ...plain, change: plain.move, bodies: apart, readBy: ['A'] },
    },
    { what: 'moves to one list', play: { ...plain, change: plain.move, bodies: alike, readBy: ['B', 'A'] } },
    {
      what: 'edits of what the lists filter by',
      play: { ...kept, change: kept.edit, bodies: apart, readBy: ['A', 'B'] },
    },
    {
      what: 'the same, of lists that only one tab has read',
      play: { ...kept, change: kept.edit, bodies: apart, readBy: ['A'] },
    },
  ] as { what: string; play: Play }[])(
    '$what: both ask, and show what the server has, in every order',
    async ({ play: how }) => {
      for (const order of ORDERS) {
        const { shown, there, asked } = await play(order, how)
        expect(shown, `${order}`).toEqual([there, there])
        // Each of the two tabs asks at most once for the row, and for each list, and once more for what it was asking for then.
        expect(asked, `${order}`).toBeLessThanOrEqual(8)
      }
    },
  )
})
