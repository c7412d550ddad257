import { Collection, Entity, Invalidate } from '@roundtable/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { settle } from '../engine/clock.js'
import { open } from './open.js'

class Card extends Entity {
  static override key = 'Card'
  id = ''
  group = ''
  rank = 0
}

interface Row {
  readonly id: string
  readonly group: string
  readonly rank: number
}

const id = fc.constantFrom('1', '2', '3', '4', '5', '6')
const rank = fc.nat(4)

describe('one of very many lists', () => {
  const cards = new Collection([Card])
  /** So many that lists are found by their members, once it pays. */
  const groups = Array.from({ length: 100 }, (_, i) => `g${i}`)
  const group = fc.constantFrom('g0', 'g1', 'g99')
  const step = fc.record({
    op: fc.constantFrom('push' as const, 'unshift' as const, 'move' as const, 'remove' as const, 'reload' as const),
    id,
    group,
    isAll: fc.boolean(),
    isSoon: fc.boolean(),
    fails: fc.boolean(),
    waits: fc.boolean(),
  })

  /** The naive model: each list is an array of keys; all lists are scanned. */
  function after(lists: ReadonlyMap<string, readonly string[]>, op: string, row: Row, isAll: boolean) {
    const next = new Map<string, readonly string[]>()
    for (const [name, members] of lists) {
      const isIn = members.includes(row.id)
      const isMeant = name === row.group || name === 'all'
      const without = members.filter((other) => other !== row.id)
      if (op === 'remove') next.set(name, isAll || name === row.group ? without : members)
      else if (op === 'move' && isIn && !isMeant) next.set(name, without)
      else if (isIn || !isMeant) next.set(name, members)
      else next.set(name, op === 'unshift' ? [row.id, ...members] : [...members, row.id])
    }
    return next
  }

  test('pushes, moves and removals reach the lists that a scan of all of them would find', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const { controller, clock, reader, writer, server } = open({ retention: { after: 1_000_000 } })
        const getList = reader('list', cards)
        const argsOf = (name: string) => (name === 'all' ? {} : { group: name })
        let lists: ReadonlyMap<string, readonly string[]> = new Map([...groups, 'all'].map((name) => [name, []]))
        for (const name of lists.keys()) controller.setResponse(getList, argsOf(name), [])
        const shown = (name: string) => controller.get(cards, argsOf(name))?.map((card) => card.id)
        const check = (expected: ReadonlyMap<string, readonly string[]>) => {
          const all = [...expected.keys()].map((name) => `${name}: ${shown(name)?.join()}`)
          expect(all.join('\n')).toBe([...expected].map(([name, members]) => `${name}: ${members.join()}`).join('\n'))
        }
        for (const { op, isAll, isSoon, fails, waits, ...named } of steps) {
          const row = { ...named, rank: 0 }
          if (op === 'reload') {
            lists = new Map(lists).set(row.group, [row.id])
            controller.setResponse(getList, { group: row.group }, [{ id: row.id }])
            check(lists)
            continue
          }
          const params = op === 'remove' && !isAll ? { id: row.id, group: row.group } : { id: row.id }
          const endpoint = writer(op, cards[op])
          const next = after(lists, op, row, isAll)
          const body = op === 'remove' ? { id: row.id } : row
          const sent = isSoon ? endpoint.extend({ getOptimisticResponse: () => body }) : endpoint
          controller.fetch(sent, params, body).catch(() => {})
          check(isSoon ? next : lists)
          if (waits) await clock.advance(1)
          if (fails) await server.requests.at(-1)?.fail()
          else await server.requests.at(-1)?.answer(body)
          if (!fails) lists = next
          check(lists)
        }
      }),
      { numRuns: cases(40) },
    )
  })
})

describe('a predicate list', () => {
  const sorted = new Collection([Card], {
    belongs: (card, args) => card.group === args.group,
    compare: (a, b) => Number(a.rank) - Number(b.rank),
  })
  const group = fc.constantFrom('x', 'y')
  const step = fc.record({
    op: fc.constantFrom(
      'write' as const,
      'many' as const,
      'delete' as const,
      'push' as const,
      'soon' as const,
      'settle' as const,
      'reload' as const,
    ),
    id,
    group,
    rank,
    at: fc.nat(4),
    fails: fc.boolean(),
  })

  test('contains the rows that belong to it, in its order, after any writes and with any pending changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { controller, reader, writer, run, server } = open()
        const getList = reader('list', sorted)
        const getMany = reader('many', [Card])
        const patch = writer('patch', Card).extend({ getOptimisticResponse: (_, ...[, body]) => body })
        const truth = new Map<string, Row>()
        const pending: { readonly row: Row; end(fails: boolean): Promise<void> }[] = []
        const inOrder = (rows: Iterable<Row>, of: string) =>
          [...rows].filter((row) => row.group === of).toSorted((a, b) => a.rank - b.rank)
        const answerOf = (of: string) => inOrder(truth.values(), of)
        for (const of of ['x', 'y']) controller.setResponse(getList, { group: of }, [])
        const check = () => {
          const visible = new Map(truth)
          for (const { row } of pending) if (truth.has(row.id)) visible.set(row.id, row)
          for (const of of ['x', 'y']) {
            const members = controller.get(sorted, { group: of }) ?? []
            const wanted = inOrder(visible.values(), of)
            expect(members.map((card) => card.id).toSorted()).toEqual(wanted.map((row) => row.id).toSorted())
            expect(members.map((card) => card.rank)).toEqual(wanted.map((row) => row.rank))
          }
        }
        for (const { op, at, fails, ...row } of steps) {
          const isThere = truth.has(row.id)
          if (op === 'write') {
            truth.set(row.id, row)
            controller.set(Card, { id: row.id }, row)
          } else if (op === 'many') {
            const rows = [1, 2, 3, 4].map((n) => ({
              id: `${n}`,
              group: n % 2 === 0 ? row.group : 'x',
              rank: (row.rank * n) % 5,
            }))
            for (const one of rows) truth.set(one.id, one)
            controller.setResponse(getMany, {}, rows)
          } else if (op === 'push' && !isThere) {
            truth.set(row.id, row)
            await run('push', sorted.push, row, { group: row.group })
          } else if (op === 'delete' && isThere && pending.length === 0) {
            truth.delete(row.id)
            await run('delete', new Invalidate(Card), { id: row.id })
          } else if (op === 'soon' && isThere) {
            controller.fetch(patch, { id: row.id }, row).catch(() => {})
            const request = server.requests.at(-1)
            pending.push({ row, end: async (failed) => (failed ? request?.fail() : request?.answer(row)) })
          } else if (op === 'settle' && pending.length > 0) {
            // In order, so that the naive model needs no order of its own.
            const first = pending.shift()
            if (!fails && first !== undefined) truth.set(first.row.id, first.row)
            await first?.end(fails)
          } else if (op === 'reload' && pending.length === 0) {
            controller.setResponse(getList, { group: row.group }, answerOf(row.group).toReversed())
          }
          check()
        }
        await settle()
      }),
      { numRuns: cases(300) },
    )
  })
})
