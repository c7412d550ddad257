import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PageIndex } from '../../../core/src/lists/page-index.js'
import { readPage } from '../../../core/src/lists/pages.js'
import type { ListMembers, Member } from '../../../core/src/schema/schema.js'
import type { ListValue } from '../../../core/src/table/row.js'
import { joinPage, type ModelList } from './page-model.js'

const ids = Array.from('abcdefghijklmnopqrst')
/** Ids in the rows of a server, which come in pages of so many. */
const LENGTH = 3
const MOST = 6
const FIRST = '{}'

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
    const context = { start: ++clock, newest: 0, indexes, isFirst: () => false }
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
      { numRuns: 1_000 },
    )
  })
})
