import { Collection, Entity, Invalidate, Values } from '@roundtable/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { open } from './open.js'

class Card extends Entity {
  static override key = 'Card'
  id = ''
  rank = 0
}
interface Row {
  readonly id: string
  readonly rank: number
}

/** A rank that `compare` throws for. */
const BAD = 9
let compared = 0
const compare = (a: { readonly rank?: unknown }, b: { readonly rank?: unknown }): number => {
  compared++
  if (a.rank === BAD || b.rank === BAD) throw new Error('bad rank')
  return Number(a.rank) - Number(b.rank)
}
const lists = {
  array: new Collection([Card], { compare }),
  map: new Collection(new Values(Card), { compare }),
}
const ids = Array.from({ length: 48 }, (_, i) => `c${i}`)

/** Rows on one level; a row that was deleted is undefined. */
type Rows = ReadonlyMap<string, Row | undefined>

/** A stable sort of all, as slow and as plain as can be; undefined if `compare` throws. */
function sortAll(members: readonly string[], rows: Rows): readonly string[] | undefined {
  const known = members.flatMap((id) => rows.get(id) ?? [])
  if (known.length > 1 && known.some(({ rank }) => rank === BAD)) return undefined
  const rankOf = (id: string) => rows.get(id)?.rank ?? Infinity
  return members.toSorted((a, b) => (rankOf(a) === rankOf(b) ? 0 : rankOf(a) - rankOf(b)))
}

const id = fc.constantFrom(...ids)
const rank = fc.oneof({ weight: 20, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.constant(BAD) })
const row = fc.record({ id, rank })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('write' as const), rows: fc.array(row, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('write' as const), rows: fc.array(row, { maxLength: 30 }) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('push' as const, 'delete' as const), row }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('soon' as const), row }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('settle' as const), at: fc.nat(5), fails: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('reload' as const), members: fc.shuffledSubarray(ids) }) },
)

describe.each(['array', 'map'] as const)('a sorted list, as %s', (shape) => {
  const list = lists[shape]

  test('is where a stable sort of all would put each member, whatever changes at once, with layers and rollbacks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rank, { minLength: ids.length, maxLength: ids.length }),
        fc.array(step, { maxLength: 25 }),
        async (ranks, steps) => {
          const { controller, reader, writer, server } = open()
          const getList = reader('list', list)
          const getMany = reader('many', [Card])
          const remove = writer('remove', new Invalidate(Card))
          const push = writer('push', shape === 'map' ? lists.map.assign : lists.array.push)
          const patch = writer('patch', Card).extend({ getOptimisticResponse: (_, ...[, body]) => body })
          const truth = new Map<string, Row | undefined>(ids.map((one, i) => [one, { id: one, rank: ranks[i] ?? 0 }]))
          let members: readonly string[] = []
          const pending: { readonly row: Row; end(fails: boolean): Promise<void> }[] = []

          const sent = (rows: readonly (Row | undefined)[]) =>
            shape === 'map' ? Object.fromEntries(rows.map((one) => [one?.id, one])) : rows
          const sorted = (next: readonly string[]) => {
            members = sortAll(next, truth) ?? next
          }
          const reload = (next: readonly string[]) => {
            const there = next.filter((one) => truth.get(one) !== undefined)
            controller.setResponse(getList, {}, sent(there.map((one) => truth.get(one))))
            sorted(there)
          }
          const check = () => {
            let visible = members
            const rows = new Map(truth)
            for (const { row: one } of pending) {
              if (rows.get(one.id) === undefined) continue
              rows.set(one.id, one)
              visible = sortAll(visible, rows) ?? visible
            }
            const shown = Object.values(controller.get(list, {}) ?? {}) as Card[]
            const wanted = visible.flatMap((one) => rows.get(one) ?? [])
            const [got, expected] = [shown, wanted].map((all) => all.map((one) => `${one.id} ${one.rank}`))
            expect(got).toEqual(expected)
          }

          reload(ids.slice(0, 40))
          check()
          for (const one of steps) {
            if (one.op === 'write') {
              for (const next of one.rows) truth.set(next.id, next)
              controller.setResponse(getMany, {}, one.rows)
              sorted(members)
            } else if (one.op === 'reload') reload(one.members)
            else if (one.op === 'delete') {
              truth.set(one.row.id, undefined)
              controller.setResponse(remove, { id: one.row.id }, { id: one.row.id })
              sorted(members)
            } else if (one.op === 'push') {
              if (truth.get(one.row.id) === undefined) continue
              const next = members.includes(one.row.id) ? members : [...members, one.row.id]
              const rows = new Map(truth).set(one.row.id, one.row)
              const act = () => controller.setResponse(push, {}, sent([one.row]) as never)
              // Whatever throws before anything is written, the whole response is refused.
              if (sortAll(next, rows) === undefined) expect(act).toThrow()
              else {
                act()
                truth.set(one.row.id, one.row)
                sorted(next)
              }
            } else if (one.op === 'soon') {
              if (truth.get(one.row.id) === undefined || pending.some((other) => other.row.id === one.row.id)) continue
              controller.fetch(patch, { id: one.row.id }, one.row).catch(() => {})
              const request = server.requests.at(-1)
              pending.push({
                row: one.row,
                end: async (fails) => (fails ? request?.fail() : request?.answer(one.row)),
              })
            } else if (one.op === 'settle') {
              const [settled] = pending.splice(one.at % (pending.length || 1), 1)
              if (settled === undefined) continue
              const fails = one.fails || truth.get(settled.row.id) === undefined
              await settled.end(fails)
              if (!fails) {
                truth.set(settled.row.id, settled.row)
                sorted(members)
              }
            }
            check()
          }
        },
      ),
      { numRuns: cases(300) },
    )
  })

  test.each([1_000, 100_000])('of %i members: a change compares about log n of them', (size) => {
    const { controller, reader, writer } = open()
    const rows = Array.from({ length: size }, (_, i) => ({ id: `r${i}`, rank: 10 + 2 * i }))
    const data = shape === 'map' ? Object.fromEntries(rows.map((one) => [one.id, one])) : rows
    const getList = reader('list', list)
    controller.setResponse(getList, {}, data as never)
    const push = writer('push', shape === 'map' ? lists.map.assign : lists.array.push)
    const shown = () => Object.values(controller.get(list, {}) ?? {}) as Card[]
    const limit = 2 * Math.ceil(Math.log2(size)) + 4

    compared = 0
    controller.set(Card, { id: 'r3' }, { id: 'r3', rank: 11 + size })
    expect(compared).toBeLessThanOrEqual(limit)
    expect(shown()[size / 2]?.id).toBe('r3')

    // A membership change is tried before it is made.
    compared = 0
    const pushed = { id: 'new', rank: 5 }
    controller.setResponse(push, {}, shape === 'map' ? { new: pushed } : pushed)
    expect(compared).toBeLessThanOrEqual(2 * limit)
    expect(shown()[0]?.id).toBe('new')
  })
})
