import { All, Controller, countBy, Endpoint, Entity, type EntityInterface, Invalidate, Query } from '@roundtable/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { HandClock, settle } from '../engine/clock.js'
import { watch } from '../engine/todo-board.js'
import { EveryRow } from './every-row.js'

class User extends Entity {
  static override key = 'SelectedUser'
  id = ''
  name = ''
}
class Task extends Entity {
  static override key = 'SelectedTask'
  static override schema: EntityInterface['schema'] = { author: User }
  id = ''
  status = ''
  rank = 0
  author: User | undefined = undefined
  next: Task | undefined = undefined
}
// Tasks may lead to each other in a ring.
Task.schema = { author: User, next: Task }

/** The same rows by a second class. */
class Card extends Entity {
  static override key = 'SelectedTask'
  static override schema = { author: User }
  id = ''
  status = ''
  rank = 0
  author: User | undefined = undefined
  get isCard(): boolean {
    return true
  }
}

/** A rank for which users' functions throw, and one that a class rejects. */
const BAD = 3
const REJECTED = 2
const refuse = (row: object): void => {
  if ('rank' in row && row.rank === BAD) throw new Error('bad rank')
}

/** The same rows by a class that rejects some of them, and by one that throws for some. */
class Checked extends Entity {
  static override key = 'SelectedTask'
  static override validate({ rank }: { readonly rank?: unknown }): string | undefined {
    return rank === REJECTED ? 'rejected' : undefined
  }
  id = ''
  status = ''
  rank = 0
}
class Fragile extends Entity {
  static override key = 'SelectedTask'
  static override validate(fields: object): undefined {
    refuse(fields)
  }
  id = ''
  status = ''
  rank = 0
}

type Row = Pick<Task, 'id' | 'status' | 'rank' | 'author'>

const isOpen = (row: Pick<Row, 'status'>): boolean => row.status === 'open'
const byRank = (a: Pick<Row, 'rank'>, b: Pick<Row, 'rank'>): number => a.rank - b.rank
const byAuthor = (a: Row, b: Row): number => (a.author?.name ?? '').localeCompare(b.author?.name ?? '')
const hasStatus = (row: Row, { status }: { status: string }): boolean => row.status === status

/** What is selected, and how it is computed from scratch. */
interface Case {
  readonly name: string
  readonly schema: Parameters<Controller['view']>[0]
  readonly args?: readonly [{ readonly status: string; readonly top?: number }]
  readonly of?: readonly EntityInterface[]
  slow(rows: readonly Row[]): unknown
}

const statuses = ['open', 'done', 'late']
const counted = (rows: readonly Row[], groupOf: (row: Row) => string): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const row of rows) counts[groupOf(row)] = (counts[groupOf(row)] ?? 0) + 1
  return counts
}
const open = new All(Task, { belongs: isOpen })
const ranked = new All(Task, { compare: byRank })
const page = new All(Task, {
  belongs: hasStatus,
  compare: byRank,
  limit: ({ top = 2 }: { readonly status: string; readonly top?: number }) => top,
})

const kinds: readonly Case[] = [
  { name: 'all', schema: new All(Task), slow: (rows) => rows },
  { name: 'that belong', schema: open, slow: (rows) => rows.filter(isOpen) },
  { name: 'sorted', schema: ranked, slow: (rows) => [...rows].sort(byRank) },
  {
    name: 'sorted by a relation',
    schema: new All(Task, { belongs: isOpen, compare: byAuthor }),
    slow: (rows) => rows.filter(isOpen).sort(byAuthor),
  },
  { name: 'the first', schema: new All(Task, { limit: 3 }), slow: (rows) => rows.slice(0, 3) },
  ...statuses.map((status): Case => {
    const args = [{ status }] as const
    return { name: `of status ${status}`, schema: page, args, slow: (rows) => slowPage(rows, status, 2) }
  }),
  { name: 'none', schema: page, args: [{ status: 'open', top: 0 }], slow: () => [] },
  {
    name: 'by a second class',
    schema: new All(Card, { belongs: isOpen, compare: byRank }),
    of: [Card],
    slow: (rows) => rows.filter(isOpen).sort(byRank),
  },
  {
    name: 'of a union',
    schema: new All({ user: User, task: Task }, () => 'task', { limit: 4 }),
    of: [User, Task],
    slow: (rows) => rows.slice(0, 4),
  },
  {
    name: 'of two classes of one key, sorted',
    schema: new All({ card: Card, task: Task }, () => 'task', { compare: byRank }),
    of: [Card, Task],
    slow: (rows) => [...rows].sort(byRank),
  },
  {
    name: 'counts',
    schema: countBy(new All(Task), ({ status }) => status),
    slow: (rows) => counted(rows, ({ status }) => status),
  },
  {
    name: 'counts of those that belong',
    schema: countBy(open, ({ author }) => author?.name),
    slow: (rows) => counted(rows.filter(isOpen), ({ author }) => `${author?.name}`),
  },
  {
    name: 'of each',
    schema: new Query(ranked, { each: ({ id, rank }) => ({ id, rank }) }),
    slow: (rows) => [...rows].sort(byRank).map(({ id, rank }) => ({ id, rank })),
  },
  {
    name: 'by a class that rejects some',
    schema: new All(Checked, { belongs: isOpen, compare: byRank, limit: 3 }),
    of: [Checked],
    slow: (rows) => rows.filter(isOpen).sort(byRank).slice(0, 3),
  },
  { name: 'by a class that throws for some', schema: new All(Fragile), of: [Fragile], slow: (rows) => rows },
  {
    name: 'of a function that throws for some',
    schema: new All(Task, { belongs: (row) => refuse(row) ?? isOpen(row), compare: byRank, limit: 3 }),
    slow: (rows) =>
      rows
        .filter((row) => refuse(row) ?? isOpen(row))
        .sort(byRank)
        .slice(0, 3),
  },
  {
    name: 'counts of a union, by a function that throws for some',
    schema: countBy(new All({ user: User, task: Task }, () => 'task'), (row) => refuse(row) ?? row.id.slice(0, 2)),
    of: [User, Task],
    slow: (rows) => counted(rows, (row) => refuse(row) ?? row.id.slice(0, 2)),
  },
  {
    name: 'several selections',
    schema: new Query({ first: page, count: countBy(open, ({ rank }) => rank) }, ({ first, count }) => ({
      ids: first?.map(({ id }) => id),
      ...count,
    })),
    args: [{ status: 'open', top: 3 }],
    slow: (rows) => ({
      ids: slowPage(rows, 'open', 3).map(({ id }) => id),
      ...counted(rows.filter(isOpen), ({ rank }) => `${rank}`),
    }),
  },
  {
    name: 'a query over all that belong',
    schema: new Query(open, (rows) => rows.map(({ id }) => id)),
    slow: (rows) => rows.filter(isOpen).map(({ id }) => id),
  },
]

function slowPage(rows: readonly Row[], status: string, top: number): readonly Row[] {
  return rows
    .filter((row) => row.status === status)
    .sort(byRank)
    .slice(0, top)
}

const FAILED = 'failed'

function attempt(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return FAILED
  }
}

/** Few rows meet each other often; of many a part changes at once. */
const sizes = [9, 90]
const ids = Array.from({ length: 90 }, (_, i) => `t${i}`)
const users = ['u0', 'u1', 'u2']

const stepOf = (size: number) => {
  const id = fc.constantFrom(...ids.slice(0, size))
  return fc.oneof(
    fc.record({ do: fc.constant('set' as const), id, status: fc.constantFrom(...statuses) }),
    fc.record({ do: fc.constant('rank' as const), id, rank: fc.nat(3) }),
    fc.record({ do: fc.constant('write' as const), id, user: fc.constantFrom(...users) }),
    fc.record({ do: fc.constant('link' as const), id, to: id }),
    fc.record({ do: fc.constant('many' as const), from: fc.nat(size - 1), to: fc.nat(size), rank: fc.nat(3) }),
    fc.record({
      do: fc.constant('name' as const),
      user: fc.constantFrom(...users),
      name: fc.constantFrom('a', 'b', 'c'),
    }),
    fc.record({ do: fc.constant('delete' as const), id }),
    fc.record({ do: fc.constant('optimistic' as const), id, rank: fc.nat(3), status: fc.constantFrom(...statuses) }),
    fc.record({ do: fc.constant('discard' as const), id }),
    fc.record({ do: fc.constant('create' as const), rank: fc.nat(3) }),
    fc.record({ do: fc.constantFrom('succeed' as const, 'fail' as const), at: fc.nat(3) }),
    fc.record({ do: fc.constant('sweep' as const) }),
    fc.record({ do: fc.constantFrom('mount' as const, 'leave' as const), at: fc.nat(kinds.length - 1) }),
  )
}
type Step = ReturnType<typeof stepOf> extends fc.Arbitrary<infer Value> ? Value : never
const program = fc.constantFrom(...sizes).chain((size) => fc.array(stepOf(size), { maxLength: 40 }))

/** Requests that the test ends. */
interface Pending {
  succeed(): void
  fail(error: Error): void
}

function play() {
  const clock = new HandClock()
  const reported: Error[] = []
  const controller = new Controller({
    env: clock,
    retention: { after: 1_000 },
    onError: (error) => reported.push(error),
  })
  const pending: Pending[] = []
  const send = (_params: object, body: { readonly id?: string; readonly rank?: number }): Promise<unknown> =>
    new Promise((resolve, reject) => {
      pending.push({ succeed: () => resolve({ id: body.id ?? `new${body.rank}`, ...body }), fail: reject })
    })
  const patch = new Endpoint(send, {
    name: 'patch',
    schema: Task,
    sideEffect: true,
    getOptimisticResponse: (_snapshot, _params, body) => body,
  })
  const write = new Endpoint(async () => ({}), { name: 'write', schema: Task, sideEffect: true })
  const remove = new Endpoint(async () => ({}), { name: 'remove', schema: new Invalidate(Task), sideEffect: true })
  const discard = patch.extend({ name: 'discard', schema: new Invalidate(Task) })
  return { clock, reported, controller, pending, patch, write, remove, discard }
}

type World = ReturnType<typeof play>

async function run({ controller, clock, pending, patch, write, remove, discard }: World, now: Step): Promise<void> {
  switch (now.do) {
    case 'set':
      return controller.set(Task, { id: now.id }, { status: now.status })
    case 'rank':
      return controller.set(Task, { id: now.id }, { rank: now.rank })
    case 'write':
      return controller.setResponse(write, { id: now.id, author: { id: now.user, name: now.user } })
    case 'link':
      return controller.setResponse(write, { id: now.id, next: { id: now.to } })
    case 'many':
      return controller.notifyOnce(() => {
        for (const [i, id] of ids.slice(now.from, now.to).entries())
          controller.set(Task, { id }, { rank: (now.rank + i) % 4, status: 'open' })
      })
    case 'name':
      return controller.set(User, { id: now.user }, { name: now.name })
    case 'delete':
      return controller.setResponse(remove, { id: now.id })
    case 'optimistic':
    case 'create': {
      const { rank } = now
      const body = now.do === 'create' ? { rank, status: 'open' } : { id: now.id, rank, status: now.status }
      controller.fetch(patch, {}, body).catch(() => {})
      return settle()
    }
    case 'discard':
      controller.fetch(discard, {}, { id: now.id }).catch(() => {})
      return settle()
    case 'succeed':
    case 'fail': {
      const [request] = pending.splice(now.at % Math.max(1, pending.length), 1)
      if (now.do === 'succeed') request?.succeed()
      else request?.fail(new Error('refused'))
      return settle()
    }
    case 'sweep':
      return clock.advance(60_000)
  }
}

test('a selection equals the slow way after every step of any program, and keeps what did not change', async () => {
  await fc.assert(
    fc.asyncProperty(program, fc.subarray([...kinds]), async (steps, first) => {
      const world = play()
      const { controller } = world
      const mounted = new Map<Case, { readonly stop: () => void; readonly now: unknown }>()
      const mount = (selected: Case): void => {
        if (mounted.has(selected)) return
        mounted.set(selected, watch(controller.view(selected.schema, ...((selected.args ?? []) as []))))
      }
      for (const selected of first) mount(selected)
      const shown = new Map<Case, unknown>()
      for (const now of steps) {
        const selected = 'at' in now ? kinds[now.at] : undefined
        if (now.do === 'mount' && selected !== undefined) mount(selected)
        else if (now.do === 'leave' && selected !== undefined) {
          mounted.get(selected)?.stop()
          mounted.delete(selected)
          shown.delete(selected)
        } else await run(world, now)
        for (const one of kinds) {
          const slow = attempt(() => {
            const rows = controller.get(new EveryRow(one.of ?? [Task])) as readonly Row[] | undefined
            return rows && one.slow(rows)
          })
          const once = attempt(() => controller.get(one.schema, ...((one.args ?? []) as [])))
          expect(once, `${one.name}, read once`).toEqual(slow)
          const observer = mounted.get(one)
          if (observer === undefined) continue
          const before = shown.get(one)
          expect(observer.now, one.name).toEqual(slow === FAILED ? undefined : slow)
          if (slow === FAILED) {
            shown.delete(one)
            continue
          }
          if (Array.isArray(slow) && !(one.schema instanceof Query)) {
            for (const [at, row] of slow.entries()) expect((observer.now as unknown[])[at], one.name).toBe(row)
            if (Array.isArray(before) && before.length === slow.length && before.every((row, at) => row === slow[at]))
              expect(observer.now, one.name).toBe(before)
          } else if (before !== undefined && JSON.stringify(before) === JSON.stringify(slow)) {
            expect(observer.now, one.name).toBe(before)
          }
          shown.set(one, observer.now)
        }
        expect(world.reported.filter(({ message }) => !message.includes('bad rank'))).toEqual([])
      }
      controller.dispose()
    }),
    { numRuns: cases(170) },
  )
})
