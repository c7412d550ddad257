import { Collection, Entity } from '@roundtable/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PageIndex } from '../../../core/src/lists/page-index.js'
import { readPage } from '../../../core/src/lists/pages.js'
import type { ListMembers, Member } from '../../../core/src/schema/schema.js'
import type { ListValue } from '../../../core/src/table/row.js'
import { cases } from '../../cases.js'
import { open } from './open.js'
import { joinPage, type ModelList } from './page-model.js'

const ids = Array.from('abcdefghijklmnopqrst')
/** Ids in the rows of a server, which come in pages of so many. */
const LENGTH = 3
const MOST = 6
const FIRST = '{}'

/** The context of a page for which no mutation matters. */
const noMutations = { newest: 0, isFirst: () => false, isLater: () => false, isForeign: () => false }

const id = fc.constantFrom(...ids)
const page = fc.nat(MOST - 1)
const step = fc.oneof(
  // The pages of a server whose rows come and go.
  { weight: 8, arbitrary: fc.record({ op: fc.constant('read' as const), page }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('read all' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constantFrom('insert' as const, 'delete' as const), at: fc.nat(20), id }),
  },
  // Pages that contradict each other.
  { weight: 2, arbitrary: fc.record({ op: fc.constant('any' as const), page, members: fc.shuffledSubarray(ids) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('again' as const), page }) },
  // Mutations, `belongs` and a user's own order.
  { weight: 2, arbitrary: fc.record({ op: fc.constant('add' as const), at: fc.nat(20), id }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('remove' as const, 'hide' as const), id }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('reverse' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** How an id is stored. */
interface Shape {
  readonly member: (id: string) => Member
  readonly members: (ids: readonly string[]) => ListMembers
  readonly idOf: (member: Member) => string
}
const shapes: Readonly<Record<string, Shape>> = {
  'an array': { member: (one) => one, members: (all) => [...all], idOf: String },
  'a Union': {
    member: (one) => ({ id: one, schema: 'item' }),
    members: (all) => all.map((one) => ({ id: one, schema: 'item' })),
    idOf: (member) => (member as { id: string }).id,
  },
  'a map': {
    member: (one) => one,
    members: (all) => new Map(all.map((one) => [one, one])),
    idOf: String,
  },
}

function play({ members: shaped, idOf }: Shape, start: readonly string[], steps: readonly Step[]): void {
  const indexes = new WeakMap<ListMembers, PageIndex>()
  let server = start
  let clock = 0
  let model: ModelList = { members: [], pages: [] }
  let value: ListValue | undefined
  const read = (number: number, members: readonly string[]) => {
    const cursor = number === 0 ? FIRST : `${number}`
    const order = number === 0 ? -Infinity : number
    const mark = number === 0 ? undefined : { cursor, order }
    const context = { ...noMutations, start: ++clock, indexes }
    model = joinPage(model, { cursor, order, members })
    const next = readPage(value, mark, shaped(members), context)
    value = next && { args: {}, ...next }
  }
  const change = (members: readonly string[], leaving?: string) => {
    if (value === undefined) return
    const without = (some: readonly string[]) => some.filter((one) => one !== leaving)
    model = { members, pages: model.pages.map((one) => ({ ...one, members: without(one.members) })) }
    const pages = value.pages?.map((one) => ({ ...one, members: shaped(without(textOf(one.members))) }))
    value = { ...value, members: shaped(members), pages }
  }
  const textOf = (some: ListMembers) => [...some.values()].map(idOf)
  const ofPage = (number: number) => server.slice(LENGTH * number, LENGTH * (number + 1))
  for (const one of steps) {
    if (one.op === 'read') read(one.page, ofPage(one.page))
    else if (one.op === 'read all') for (let i = 0; i < MOST; i++) read(i, ofPage(i))
    else if (one.op === 'any') read(one.page, one.members.slice(0, 5))
    else if (one.op === 'again') {
      const known = model.pages.find(({ order }) => order === (one.page === 0 ? -Infinity : one.page))
      if (known !== undefined) read(one.page, known.members)
    } else if (one.op === 'insert') server = [...new Set(server.toSpliced(one.at, 0, one.id))]
    else if (one.op === 'delete') server = server.toSpliced(one.at, 1)
    else if (one.op === 'add') {
      if (!model.members.includes(one.id)) change(model.members.toSpliced(one.at, 0, one.id))
    } else if (one.op === 'reverse') change(model.members.toReversed())
    else
      change(
        model.members.filter((other) => other !== one.id),
        one.op === 'remove' ? one.id : undefined,
      )
    expect(value === undefined ? [] : textOf(value.members).join('')).toEqual(
      value === undefined ? [] : model.members.join(''),
    )
    expect(value?.pages?.map(({ members }) => textOf(members).join('')) ?? []).toEqual(
      model.pages.map(({ members }) => members.join('')),
    )
  }
}

describe.each(Object.entries(shapes))('the pages of %s', (_, shape) => {
  test('join as the rules say, in any order, with members that come, go and wander', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ids, { minLength: 12 }), fc.array(step, { maxLength: 30 }), (start, steps) =>
        play(shape, start, steps),
      ),
      { numRuns: cases(1_000) },
    )
  })
})

/** How often Maps are asked and written while one more page joins a list of so many, at the most of several pages. */
function costOf(count: number, change: (page: readonly string[], run: number) => readonly string[]): number {
  const indexes = new WeakMap<ListMembers, PageIndex>()
  const pages = Array.from({ length: count }, (_, i) => Array.from({ length: 50 }, (_, j) => `row ${i} ${j}`))
  let value: ListValue | undefined
  let clock = 0
  const read = (order: number, members: readonly string[]) => {
    const context = { ...noMutations, start: ++clock, indexes }
    const next = readPage(value, { cursor: `${order}`, order }, members, context)
    value = next && { args: {}, ...next }
  }
  for (const [order, members] of pages.entries()) read(order, members)
  const at = Math.floor(count / 2)
  const costs = Array.from({ length: 4 }, (_, run) => {
    const members = change(pages[at] as readonly string[], run)
    return mapCalls(() => read(at, members))
  })
  return Math.max(...costs)
}

/** How often `get`, `has` and `set` of Maps are called meanwhile. */
function mapCalls(run: () => void): number {
  const { get, has, set } = Map.prototype
  let calls = 0
  Map.prototype.get = function (key) {
    calls++
    return get.call(this, key)
  }
  Map.prototype.has = function (key) {
    calls++
    return has.call(this, key)
  }
  Map.prototype.set = function (key, value) {
    calls++
    return set.call(this, key, value)
  }
  try {
    run()
  } finally {
    Object.assign(Map.prototype, { get, has, set })
  }
  return calls
}

test.each<readonly [string, (page: readonly string[], run: number) => readonly string[]]>([
  ['as it was', (all) => [...all]],
  ['with another row', (all, run) => [`new ${run}`, ...all.slice(1)]],
  ['in another order', (all, run) => (run % 2 === 0 ? all.toReversed() : all)],
])('a page that comes again %s costs what the page costs, not what the list does', (_, change) => {
  // The list is copied once, without a look at its members.
  expect(costOf(400, change)).toBe(costOf(20, change))
})

class Item extends Entity {
  static override key = 'Item'
  id = ''
}
const items = new Collection([Item])
const shownStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('read' as const), page }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constantFrom('insert' as const, 'delete' as const), at: fc.nat(20), id }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constantFrom('push' as const, 'remove' as const), id, isOptimistic: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('settle' as const), fails: fc.boolean() }) },
)

test('a list with pages shows them as the rules say, with mutations pending, settled and rolled back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(ids, { minLength: 12 }),
      fc.array(shownStep, { maxLength: 30 }),
      async (start, steps) => {
        const { controller, reader, writer, server: wire } = open()
        const getPage = reader(
          'page',
          items.paginated(({ page: _, ...rest }) => [rest]),
        )
        const writers = { push: writer('push', items.push), remove: writer('remove', items.remove) }
        let server = start
        let base: ModelList = { members: [], pages: [] }
        const pending: {
          op: 'push' | 'remove'
          id: string
          isOptimistic: boolean
          end(fails: boolean): Promise<void>
        }[] = []
        const after = (list: ModelList, { op, id: one }: { op: 'push' | 'remove'; id: string }): ModelList => {
          const without = (some: readonly string[]) => some.filter((other) => other !== one)
          if (op === 'push') return list.members.includes(one) ? list : { ...list, members: [...list.members, one] }
          const pages = list.pages.map((each) => ({ ...each, members: without(each.members) }))
          return { members: without(list.members), pages }
        }
        for (const step of steps) {
          if (step.op === 'read') {
            const members = server.slice(LENGTH * step.page, LENGTH * (step.page + 1))
            const cursor = step.page === 0 ? FIRST : `${step.page}`
            base = joinPage(base, { cursor, order: step.page === 0 ? -Infinity : step.page, members })
            const params = step.page === 0 ? {} : { page: step.page }
            controller.setResponse(getPage, params, members.map((one) => ({ id: one })) as never)
          } else if (step.op === 'insert') server = [...new Set(server.toSpliced(step.at, 0, step.id))]
          else if (step.op === 'delete') server = server.toSpliced(step.at, 1)
          else if (step.op === 'settle') {
            // In their order: what overlapping mutations do to each other is tested elsewhere.
            const settled = pending.shift()
            await settled?.end(step.fails)
            if (settled !== undefined && !step.fails && base.pages.length > 0) base = after(base, settled)
          } else if ('isOptimistic' in step) {
            const row = { id: step.id }
            const endpoint = writers[step.op]
            const sent = step.isOptimistic ? endpoint.extend({ getOptimisticResponse: () => row }) : endpoint
            controller.fetch(sent, step.op === 'remove' ? row : {}, row).catch(() => {})
            const request = wire.requests.at(-1)
            pending.push({ ...step, end: async (fails) => (fails ? request?.fail() : request?.answer(row)) })
          }
          const visible = pending.filter(({ isOptimistic }) => isOptimistic).reduce(after, base)
          const shown = controller.get(items, {})?.map((one) => one.id)
          if (base.pages.length > 0) expect(shown?.join('')).toBe(visible.members.join(''))
        }
      },
    ),
    { numRuns: cases(400) },
  )
})
