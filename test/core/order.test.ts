import { describe, expect, test } from 'vitest'
import {
  carried,
  type FieldOrder,
  judge,
  overtook,
  UNKNOWN,
  type Verdict,
  type Version,
} from '../../core/src/table/order.js'

const read = (start: number): Version => ({ start, done: 0, mutation: false })
const mutation = (start: number, done: number): Version => ({ start, done, mutation: true })
const known = (order: Partial<FieldOrder>): FieldOrder => ({ ...UNKNOWN, ...order })

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

describe('the fields of a row after a response carried them', () => {
  test('a read raises the read, and an older one leaves it', () => {
    expect(carried(read(5), known({ read: 3, started: 2, done: 4 }))).toEqual({ read: 5, started: 2, done: 4 })
    expect(carried(read(5), known({ read: 7 }))).toEqual(known({ read: 7 }))
  })

  test('a mutation raises its start and the fence', () => {
    expect(carried(mutation(5, 8), known({ read: 6 }))).toEqual({ read: 6, started: 5, done: 8 })
  })

  test('a mutation whose value was skipped still raises the fence, and leaves the later start', () => {
    expect(carried(mutation(5, 9), known({ started: 6, done: 7 }))).toEqual({ read: 0, started: 6, done: 9 })
  })

  test('a read that started between two completions is older than the second, whichever response won', () => {
    const after = carried(mutation(1, 9), carried(mutation(2, 4), UNKNOWN))
    expect(judge(read(5), after)).toBe('overtaken')
    expect(judge(read(10), after)).toBe('newer')
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
