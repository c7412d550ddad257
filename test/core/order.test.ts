import { describe, expect, test } from 'vitest'
import { Journal, JournalEntry, orderIn } from '../../core/src/commit/journal.js'
import type { RowRecord } from '../../core/src/schema/schema.js'
import { Change } from '../../core/src/table/change.js'
import { type FieldOrder, judge, overtook, UNKNOWN, type Verdict, type Version } from '../../core/src/table/order.js'
import { Table } from '../../core/src/table/table.js'
import { TOMBSTONE } from '../../core/src/table/value.js'

const read = (start: number): Version => ({ start, done: 0, mutation: false })
const mutation = (start: number, done: number): Version => ({ start, done, mutation: true })
const known = (order: Partial<FieldOrder>): FieldOrder => ({ ...UNKNOWN, written: order.done ?? 0, ...order })

interface Case {
  readonly says: string
  readonly answer: Version
  readonly there: FieldOrder
  readonly verdict: Verdict
}

const reads: readonly Case[] = [
  { says: 'nothing is there', answer: read(5), there: UNKNOWN, verdict: 'newer' },
  { says: 'an earlier read is there', answer: read(5), there: known({ read: 4 }), verdict: 'newer' },
  { says: 'its own value is there', answer: read(5), there: known({ read: 5 }), verdict: 'newer' },
  { says: 'a later read is there', answer: read(5), there: known({ read: 6 }), verdict: 'older' },
  {
    says: 'a mutation had completed before it started',
    answer: read(5),
    there: known({ started: 2, done: 4 }),
    verdict: 'newer',
  },
  {
    says: 'a mutation that started before it completed after its start',
    answer: read(5),
    there: known({ started: 2, done: 6 }),
    verdict: 'overtaken',
  },
  {
    says: 'a mutation started and completed after its start',
    answer: read(5),
    there: known({ started: 6, done: 7 }),
    verdict: 'overtaken',
  },
  {
    says: 'both a later read and a later mutation are there: the mutation counts',
    answer: read(5),
    there: known({ read: 9, started: 6, done: 7 }),
    verdict: 'overtaken',
  },
]

const mutations: readonly Case[] = [
  { says: 'nothing is there', answer: mutation(5, 8), there: UNKNOWN, verdict: 'newer' },
  { says: 'an earlier read is there', answer: mutation(5, 8), there: known({ read: 4 }), verdict: 'newer' },
  {
    says: 'a mutation was over before it started',
    answer: mutation(5, 8),
    there: known({ started: 2, done: 4 }),
    verdict: 'newer',
  },
  {
    says: 'a read that started after it is there',
    answer: mutation(5, 8),
    there: known({ read: 6 }),
    verdict: 'conflict',
  },
  {
    says: 'a mutation that started earlier completed while it was under way',
    answer: mutation(5, 8),
    there: known({ started: 2, done: 6 }),
    verdict: 'conflict',
  },
  {
    says: 'a mutation that started later has answered',
    answer: mutation(5, 8),
    there: known({ started: 6, done: 7 }),
    verdict: 'overtaken',
  },
  {
    says: 'a mutation that started later was over when it was sent',
    answer: { ...mutation(5, 9), heldUntil: 7 },
    there: known({ started: 6, done: 7 }),
    verdict: 'newer',
  },
  {
    says: 'a mutation that started later was under way when it was sent',
    answer: { ...mutation(5, 9), heldUntil: 7 },
    there: known({ started: 6, done: 8 }),
    verdict: 'overtaken',
  },
  {
    says: 'a later mutation and a still later read are there: the mutation counts',
    answer: mutation(5, 9),
    there: known({ read: 8, started: 6, done: 7 }),
    verdict: 'overtaken',
  },
]

describe('a read', () => {
  test.each(reads)('is $verdict if $says', ({ answer, there, verdict }) => {
    expect(judge(answer, there)).toBe(verdict)
  })
})

describe('a mutation', () => {
  test.each(mutations)('is $verdict if $says', ({ answer, there, verdict }) => {
    expect(judge(answer, there)).toBe(verdict)
  })
})

describe('a mutation that only repeats a field', () => {
  test.each<Omit<Case, 'answer'>>([
    { says: 'nothing is there', there: UNKNOWN, verdict: 'newer' },
    {
      says: 'a mutation that started earlier wrote it while this one was under way',
      there: known({ started: 2, done: 6 }),
      verdict: 'overtaken',
    },
    { says: 'a read that started after it is there', there: known({ read: 6 }), verdict: 'overtaken' },
    {
      says: 'another mutation that was sent before it repeats it, too',
      there: known({ read: 2, written: 0, done: 6 }),
      verdict: 'newer',
    },
  ])('is $verdict if $says', ({ there, verdict }) => {
    expect(judge(mutation(5, 8), there, true)).toBe(verdict)
  })

  test('loses to a read that started after it was sent, and is asked for again; not to an earlier read', () => {
    expect(judge(read(5), known({ read: 2, written: 0, done: 6 }))).toBe('conflict')
    expect(judge(read(5), known({ read: 5, written: 0, done: 6 }))).toBe('conflict')
    expect(judge(read(4), known({ read: 5, written: 0, done: 6 }))).toBe('overtaken')
    expect(judge(read(7), known({ read: 5, written: 0, done: 6 }))).toBe('newer')
  })
})

describe('the order of a field after responses carried it', () => {
  const row = new Table().kind('Todo').row('1')

  /** The order of a field, or of the whole row, after these responses. */
  function orderAfter(
    responses: readonly [Version, RowRecord | typeof TOMBSTONE][],
    field?: string,
    by: Parameters<typeof orderIn>[3] = { sent: 0 },
  ): FieldOrder {
    const journal = new Journal()
    for (const [version, record] of responses) {
      const change = new Change()
      change.write(row, record, undefined)
      journal.add(new JournalEntry(version, change))
    }
    return orderIn(journal.entries, row, field, by)
  }

  test('is that of the latest read, whichever response came last', () => {
    expect(
      orderAfter(
        [
          [read(3), { text: 'a' }],
          [read(5), { text: 'b' }],
        ],
        'text',
      ),
    ).toEqual(known({ read: 5 }))
    expect(
      orderAfter(
        [
          [read(7), { text: 'a' }],
          [read(5), { text: 'b' }],
        ],
        'text',
      ),
    ).toEqual(known({ read: 7 }))
  })

  test('has the start and the completion of a mutation beside the read', () => {
    const responses: [Version, RowRecord][] = [
      [read(6), { text: 'a' }],
      [mutation(5, 8), { text: 'b' }],
    ]
    expect(orderAfter(responses, 'text')).toEqual(known({ read: 6, started: 5, done: 8 }))
  })

  test('has the latest start and the latest completion, also of two mutations that won in different ways', () => {
    const responses: [Version, RowRecord][] = [
      [mutation(6, 7), { text: 'a' }],
      [mutation(5, 9), { text: 'b' }],
    ]
    expect(orderAfter(responses, 'text')).toEqual(known({ started: 6, done: 9 }))
  })

  test('does not know of a response without the field; that of the row does, and a deletion has every field', () => {
    expect(orderAfter([[read(5), { text: 'a' }]], 'stars')).toEqual(UNKNOWN)
    expect(orderAfter([[read(5), { text: 'a' }]])).toEqual(known({ read: 5 }))
    expect(orderAfter([[mutation(5, 8), TOMBSTONE]], 'stars')).toEqual(known({ started: 5, done: 8 }))
  })

  describe('of two mutations that overlap, and of which one names the field', () => {
    const stars = new Map([['stars', 1]])
    const text = new Map([['text', 'a']])
    const other = { ...mutation(5, 8), names: stars }
    const naming = { ...mutation(2, 8), names: text }
    const both = { text: 'a', stars: 1 }

    test('to the one that names it, the other is a read that started when that was sent', () => {
      const after = orderAfter([[other, both]], 'text', { names: text, sent: 3 })
      expect(after).toEqual(known({ read: 5, written: 0, done: 8 }))
      expect(judge(mutation(3, 9), after)).toBe('conflict')
    })

    test('to the other, the one that names it has started later', () => {
      const after = orderAfter([[naming, both]], 'text', { names: stars, sent: 3 })
      expect(judge(mutation(3, 9), after)).toBe('overtaken')
    })

    test('but not if that had ended when the other was sent', () => {
      const responses: [Version, RowRecord][] = [
        [naming, both],
        [{ ...mutation(3, 11), names: stars }, both],
      ]
      const after = orderAfter(responses, 'text', { names: stars, sent: 9 })
      expect(judge({ ...mutation(4, 12), heldUntil: 9 }, after)).toBe('conflict')
    })

    test('the order of their starts counts if either does not tell what it changes, and for the row', () => {
      const byStart = known({ started: 5, done: 8 })
      expect(orderAfter([[other, both]], 'text')).toEqual(byStart)
      expect(orderAfter([[mutation(5, 8), both]], 'text', { names: text, sent: 3 })).toEqual(byStart)
      expect(orderAfter([[mutation(5, 8), both]], 'text', { names: stars, sent: 3 })).toEqual(byStart)
      expect(orderAfter([[other, both]], undefined, { names: text, sent: 3 })).toEqual(byStart)
    })

    test('a deletion decides about all fields, whatever its call names', () => {
      expect(orderAfter([[other, TOMBSTONE]], 'text', { names: text, sent: 3 })).toEqual(known({ started: 5, done: 8 }))
    })
  })

  test('makes a read that started between two completions older than the second, whichever response won', () => {
    const after = orderAfter(
      [
        [mutation(2, 4), { text: 'a' }],
        [mutation(1, 9), { text: 'b' }],
      ],
      'text',
    )
    expect(judge(read(5), after)).toBe('overtaken')
    expect(judge(read(10), after)).toBe('newer')
  })
})

describe('the journal', () => {
  const entry = (version: Version): JournalEntry => new JournalEntry(version, new Change())
  const leftOf = (versions: readonly Version[], oldest: number): readonly Version[] => {
    const journal = new Journal()
    for (const version of versions) journal.add(entry(version))
    journal.prune(oldest)
    return journal.entries.map(({ version }) => version)
  }

  test('is empty once no request is in flight', () => {
    expect(leftOf([read(1), mutation(2, 5)], Number.POSITIVE_INFINITY)).toEqual([])
  })

  test('keeps what a request in flight may not know of: reads that started later, mutations that completed later', () => {
    expect(leftOf([read(2), read(4), mutation(1, 5), mutation(1, 2)], 3)).toEqual([read(4), mutation(1, 5)])
  })

  test('keeps a mutation that started after one that stays: it wins over that one', () => {
    expect(leftOf([mutation(2, 3), mutation(1, 5)], 4)).toEqual([mutation(2, 3), mutation(1, 5)])
  })
})

describe('the moment that overtook a response', () => {
  test('is for a read the completion of the mutation that was faster', () => {
    expect(overtook(read(3), known({ read: 9, started: 4, done: 6 }))).toBe(6)
  })

  test('is for a mutation the later of the two completions, so that a refetch must have started after both', () => {
    expect(overtook(mutation(3, 8), known({ started: 4, done: 6 }))).toBe(8)
    expect(overtook(mutation(3, 6), known({ started: 2, done: 8 }))).toBe(8)
  })
})

describe('an optimistic layer, judged as the response of its mutation', () => {
  const layer = mutation(5, 0)

  test('does not write a field that a mutation which started later has written', () => {
    expect(judge(layer, known({ started: 6, done: 7 }))).toBe('overtaken')
  })

  test('overrides reads, earlier mutations and missing values', () => {
    expect(judge(layer, known({ read: 9 }))).toBe('conflict')
    expect(judge(layer, known({ started: 3, done: 8 }))).toBe('conflict')
    expect(judge(layer, UNKNOWN)).toBe('newer')
  })
})
