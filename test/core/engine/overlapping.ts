import { Collection, Entity, Invalidate, type Schema } from '@roundtable/core'
import { open, type Writer } from '../schemas/open.js'
import { settle } from './clock.js'
import type { FakeRequest } from './fake-server.js'

class Task extends Entity {
  static override key = 'Task'
  id = ''
  title = ''
  group = ''
}
export const plain = new Collection([Task])
export const knowing = new Collection([Task], { belongs: (task, args) => task.group === args.group })

interface Row {
  readonly id: string
  readonly title: string
  readonly group: string
}
type Tasks = typeof plain
/** The mutation as the client names it, and its effect on the server's row. */
export interface Mutation {
  readonly name: string
  schema(list: Tasks): Schema
  readonly body?: Partial<Row>
  apply(row: Row | undefined): Row | undefined
}

const GROUPS = ['a', 'b', 'c', 'd', 'e'] as const

function orders<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items]
  return items.flatMap((first) => orders(items.filter((item) => item !== first)).map((rest) => [first, ...rest]))
}

export function moveTo(group: string): Mutation {
  const body = { group }
  return { name: `move ${group}`, schema: (list) => list.move, body, apply: (row) => row && { ...row, ...body } }
}

export function patch(body: Partial<Row>): Mutation {
  const name = `patch ${JSON.stringify(body)}`
  return { name, schema: () => Task, body, apply: (row) => row && { ...row, ...body } }
}

export const push: Mutation = {
  name: 'push b',
  schema: (list) => list.push,
  body: { id: '1', title: 'pushed', group: 'b' },
  apply: () => ({ id: '1', title: 'pushed', group: 'b' }),
}
export const deletion: Mutation = { name: 'delete', schema: () => new Invalidate(Task), apply: () => undefined }

export interface Options {
  readonly mutations: readonly Mutation[]
  readonly list?: Tasks
  readonly isOptimistic?: boolean
  readonly hasDetail?: boolean
  /** True if the server responds with the whole row, not only with the changes. */
  readonly answersWhole?: boolean
}

/** One order of applying and responding, including the engine's own requests. */
export interface Order {
  readonly applied: readonly number[]
  readonly answered: readonly number[]
  /** True if the server applies each as late as it can, so that reads in between see less. */
  readonly isLazy: boolean
  readonly readsCome: 'at once' | 'at the end'
}

/** Sends the mutations in sequence, applies and responds to them in other orders; resolves with the final differences. */
export async function run(options: Options, order: Order) {
  const { mutations, list = plain, isOptimistic = true, hasDetail = false, answersWhole = false } = options
  const { server, controller, clock, mount, writer } = open()
  const rows = new Map<string, Row>([
    ['1', { id: '1', title: 'one', group: 'a' }],
    ...GROUPS.map((group): [string, Row] => [`of-${group}`, { id: `of-${group}`, title: group, group }]),
  ])
  const of = (group: string) => [...rows.values()].filter((row) => row.group === group)
  server.on<[{ group: string }]>('list', ({ group }) => of(group))
  server.on<[{ id: string }]>('detail', ({ id }) => {
    if (rows.has(id)) return rows.get(id)
    throw Object.assign(new Error('gone'), { status: 404 })
  })
  mutations.forEach(({ apply, body }, i) => {
    server.on(`${i}`, () => {
      const before = rows.get('1')
      const after = apply(before)
      if (after === undefined) rows.delete('1')
      else rows.set('1', after)
      if (after === undefined) {
        if (before === undefined || body !== undefined) throw Object.assign(new Error('gone'), { status: 404 })
        return { id: '1' }
      }
      return answersWhole || before === undefined ? after : { id: '1', ...body }
    })
  })
  const lists = GROUPS.map((group) => {
    return { group, query: mount('list', list, { group }) }
  })
  const detail = hasDetail ? mount('detail', Task, { id: '1' }) : undefined
  await settle()
  for (const request of server.requests) await request.deliver()
  const loaded = server.requests.length

  const sent = mutations.map(({ schema, body, name }, i): FakeRequest => {
    const endpoint: Writer<Schema> = writer(`${i}`, schema(list))
    const optimistic = endpoint.extend({ getOptimisticResponse: () => ({ id: '1', ...body }) } as never)
    const params = name.startsWith('push') ? { group: 'b' } : { id: '1' }
    void controller.fetch(isOptimistic ? optimistic : endpoint, params, body).catch(() => {})
    return server.one(`${i}`)
  })
  const isRead = ({ name }: FakeRequest): boolean => name === 'list' || name === 'detail'
  const answered = new Set<FakeRequest>()
  const reads = () => server.requests.slice(loaded).filter((request) => isRead(request))
  const answerReads = async (): Promise<void> => {
    for (const read of reads()) {
      if (answered.has(read)) continue
      answered.add(read)
      await read.deliver()
    }
  }
  const applied = [...order.applied]
  const applyUntil = (wanted: number): void => {
    while (applied.includes(wanted)) sent[applied.shift() as number]?.apply()
  }
  if (!order.isLazy) for (const i of order.applied) applyUntil(i)
  for (const i of order.answered) {
    applyUntil(i)
    // Earlier requests read the server's current state.
    for (const read of reads()) read.apply()
    await sent[i]?.deliver()
    if (order.readsCome === 'at once') await answerReads()
  }
  for (let round = 0; round < 9; round++) await answerReads()
  // Whoever shows a row that was deleted here is told after a second.
  await clock.advance(1_000)
  for (let round = 0; round < 9; round++) await answerReads()

  const wrong = lists.flatMap(({ group, query }) => {
    const shown = [...(query.now.data ?? [])].map(({ id, title }) => `${id} ${title}`).sort()
    const there = of(group)
      .map(({ id, title }) => `${id} ${title}`)
      .sort()
    return String(shown) === String(there) ? [] : [`${group}: ${shown} in place of ${there}`]
  })
  if (detail !== undefined) {
    const { data, status } = detail.now
    const row = rows.get('1')
    const isRight = row === undefined ? status === 'failed' : data?.group === row.group && data.title === row.title
    if (!isRight) wrong.push(`detail: ${status} ${JSON.stringify(data)} in place of ${JSON.stringify(row)}`)
  }
  return { wrong, asked: reads().map(({ name, args }) => `${name} ${Object.values(args[0] ?? {})}`) }
}

/** When reads see what the server has, and when they are answered. */
const TIMINGS = [true, false].flatMap((isLazy) =>
  (['at once', 'at the end'] as const).map((readsCome) => ({ isLazy, readsCome })),
)

/** What went wrong in any order of applying and answering, and how often a key was asked at most. */
export async function runAll(options: Options, timings: 'all' | 'in turn') {
  const all = orders(options.mutations.map((_, i) => i))
  const failed: string[] = []
  let mostAsked = 0
  let count = 0
  for (const applied of all) {
    for (const answered of all) {
      const at = count++ % TIMINGS.length
      for (const timing of timings === 'all' ? TIMINGS : TIMINGS.slice(at, at + 1)) {
        const { wrong, asked } = await run(options, { applied, answered, ...timing })
        for (const key of asked) mostAsked = Math.max(mostAsked, asked.filter((other) => other === key).length)
        if (wrong.length > 0)
          failed.push(`applied ${applied}, answered ${answered} ${JSON.stringify(timing)}: ${wrong.join('; ')}`)
      }
    }
  }
  return { failed, mostAsked }
}

/** Mutations of one row; the lists are told of a patch by `belongs` only. */
export const sets: readonly (readonly [string, readonly Mutation[], ('belongs' | 'any')?])[] = [
  ['two moves', [moveTo('b'), moveTo('c')]],
  ['there and back', [moveTo('b'), moveTo('a')]],
  ['three moves', [moveTo('b'), moveTo('c'), moveTo('d')]],
  ['three moves, of which two are alike', [moveTo('b'), moveTo('c'), moveTo('b')]],
  ['two patches', [patch({ group: 'b' }), patch({ group: 'c' })], 'belongs'],
  ['three patches', [patch({ group: 'b' }), patch({ group: 'c' }), patch({ group: 'd' })], 'belongs'],
  [
    'patches of several fields',
    [patch({ group: 'b', title: 'x' }), patch({ group: 'c' }), patch({ title: 'z' })],
    'belongs',
  ],
  ['a move, a patch and a move', [moveTo('b'), patch({ title: 'x' }), moveTo('c')]],
  ['a move and a deletion', [moveTo('b'), deletion]],
  ['a deletion and a move', [deletion, moveTo('b')]],
  ['a move, a deletion and a move', [moveTo('b'), deletion, moveTo('c')]],
  ['a push and a move', [push, moveTo('c')]],
  ['a move and a push', [moveTo('c'), push]],
  ['a push, a deletion and a move', [push, deletion, moveTo('c')]],
]

export const fourMoves: readonly Mutation[] = [moveTo('b'), moveTo('c'), moveTo('d'), moveTo('e')]
