import { Collection, Controller, Endpoint, Entity } from '@roundtable/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { HandClock, settle } from '../engine/clock.js'
import { type FakeRequest, FakeServer } from '../engine/fake-server.js'
import { watch } from '../engine/todo-board.js'

class Card extends Entity {
  static override key = 'Card'
  id = ''
  group = ''
}
const cards = new Collection([Card])
const groups = ['a', 'b', undefined] as const

interface Row {
  readonly id: string
  readonly group: string
}
interface Params {
  readonly id?: string
  readonly group?: string | undefined
}

/** The naive model: each list is an array of keys; `undefined` is the list of all. */
class Model {
  readonly rows = new Map<string, Row>()
  readonly lists = new Map<string | undefined, string[]>(groups.map((group) => [group, []]))

  read(group: string | undefined): Row[] {
    return (this.lists.get(group) ?? []).map((id) => this.rows.get(id) as Row)
  }

  put(row: Row, isFirst: boolean): Row {
    this.rows.set(row.id, row)
    for (const group of [row.group, undefined]) {
      const list = this.lists.get(group) ?? []
      if (list.includes(row.id)) continue
      if (isFirst) list.unshift(row.id)
      else list.push(row.id)
    }
    return row
  }

  remove(id: string, group: string | undefined): { readonly id: string } {
    for (const [of, list] of this.lists) {
      if (group === undefined || of === group)
        this.lists.set(
          of,
          list.filter((other) => other !== id),
        )
    }
    return { id }
  }

  move(row: Row): Row {
    this.rows.set(row.id, row)
    for (const [of, list] of this.lists) {
      const belongs = of === undefined || of === row.group
      if (!belongs)
        this.lists.set(
          of,
          list.filter((id) => id !== row.id),
        )
      else if (!list.includes(row.id)) list.push(row.id)
    }
    return row
  }
}

/** A controller before the model, with the list of each group mounted. */
async function play() {
  const model = new Model()
  const server = new FakeServer()
  const controller = new Controller({ env: new HandClock() })
  const mutation = <const S extends object>(
    name: string,
    schema: S,
    handler: (params: Params, body: Row) => unknown,
  ) => {
    const endpoint = new Endpoint(server.on<[Params, Row]>(name, handler), {
      name,
      schema: schema as never,
      sideEffect: true,
    })
    return {
      plain: endpoint,
      soon: endpoint.extend({ getOptimisticResponse: (_: unknown, __: Params, body: Row) => body }),
    }
  }
  const getList = new Endpoint(
    server.on<[Params]>('list', ({ group }) => model.read(group)),
    { name: 'list', schema: cards },
  )
  const verbs = {
    push: mutation('push', cards.push, (_, body) => model.put(body, false)),
    unshift: mutation('unshift', cards.unshift, (_, body) => model.put(body, true)),
    remove: mutation('remove', cards.remove, ({ id = '', group }) => model.remove(id, group)),
    move: mutation('move', cards.move, (_, body) => model.move(body)),
  }
  const lists = groups.map((group) => watch(controller.watch(getList, { group })))
  await settle()
  for (const request of server.requests) await request.deliver()
  return {
    model,
    server,
    shown: () => lists.map(({ now }) => now.data?.map(({ id }) => id)),
    refetch: (group: string | undefined) => void controller.fetch(getList, { group }).catch(() => {}),
    send: (op: keyof typeof verbs, id: string, group: string, isSoon: boolean) => {
      const { plain, soon } = verbs[op]
      const params = op === 'remove' ? { id, group } : { id }
      void controller.fetch(isSoon ? soon : plain, params, { id, group }).catch(() => {})
    },
  }
}

const id = fc.constantFrom('1', '2', '3', '4', '5')
const group = fc.constantFrom('a', 'b')
const verb = fc.record({
  op: fc.constantFrom('push' as const, 'unshift' as const, 'move' as const, 'remove' as const),
  id,
  group,
  isSoon: fc.boolean(),
})
const refetch = fc.record({ op: fc.constant('refetch' as const), of: fc.constantFrom(...groups) })

/** Rows that can be pushed do not exist yet; rows that can be moved do. */
function makesSense(model: Model, op: string, one: string, to: string): boolean {
  const isThere =
    model.lists.get(undefined)?.includes(one) === true || [...model.lists.values()].some((list) => list.includes(one))
  if (op === 'push' || op === 'unshift') return !isThere
  return op === 'move'
    ? model.lists.get(undefined)?.includes(one) === true
    : model.lists.get(to)?.includes(one) === true
}

test('one after the other: lists equal a naive model, after each step, optimistic or not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof({ weight: 6, arbitrary: verb }, refetch), { maxLength: 20 }), async (steps) => {
      const { model, server, shown, refetch: again, send } = await play()
      const expected = () => groups.map((of) => model.lists.get(of))
      for (const step of steps) {
        if (step.op === 'refetch') again(step.of)
        else if (makesSense(model, step.op, step.id, step.group)) send(step.op, step.id, step.group, step.isSoon)
        else continue
        await server.requests.at(-1)?.deliver()
        expect(shown()).toEqual(expected())
      }
    }),
    { numRuns: cases(200) },
  )
})

test('overlapped: no order of responses loses or doubles a member, and a refetch shows the server’s state', async () => {
  const due = fc.record({ op: fc.constantFrom('apply' as const, 'deliver' as const), at: fc.nat(6) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof({ weight: 4, arbitrary: verb }, { weight: 2, arbitrary: refetch }, { weight: 5, arbitrary: due }),
        { maxLength: 30 },
      ),
      async (steps) => {
        const { model, server, shown, refetch: again, send } = await play()
        const open = new Set<FakeRequest>()
        const applied = new Set<FakeRequest>()
        // A row is created once; changes before the response apply to the row that will be created.
        const created = new Set<string>()
        const isNew = (op: string) => op === 'push' || op === 'unshift'
        let seen = server.requests.length
        const note = () => {
          for (const request of server.requests.slice(seen)) open.add(request)
          seen = server.requests.length
        }
        // The server applies requests in the order in which they were sent.
        const applyUpTo = (last: FakeRequest) => {
          for (const request of open) {
            if (!applied.has(request)) request.apply()
            applied.add(request)
            if (request === last) return
          }
        }
        const deliver = async (request: FakeRequest) => {
          applyUpTo(request)
          open.delete(request)
          await request.deliver()
          note()
        }
        for (const step of steps) {
          if (step.op === 'refetch') again(step.of)
          else if (step.op === 'apply' || step.op === 'deliver') {
            const request = [...open][step.at % (open.size || 1)]
            if (request === undefined) continue
            if (step.op === 'apply') applyUpTo(request)
            else await deliver(request)
          } else if ('id' in step && isNew(step.op) !== created.has(step.id)) {
            created.add(step.id)
            send(step.op, step.id, step.group, step.isSoon)
          }
          note()
          for (const list of shown()) expect(new Set(list).size).toBe(list?.length)
        }
        for (let rounds = 0; open.size > 0 && rounds < 200; rounds++) await deliver([...open][0] as FakeRequest)
        expect(open.size).toBe(0)
        expect(shown().map((list) => list?.toSorted())).toEqual(groups.map((of) => model.lists.get(of)?.toSorted()))
        for (const of of groups) again(of)
        note()
        while (open.size > 0) await deliver([...open][0] as FakeRequest)
        expect(shown()).toEqual(groups.map((of) => model.lists.get(of)))
      },
    ),
    { numRuns: cases(200) },
  )
})
