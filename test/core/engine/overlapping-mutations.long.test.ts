import { describe, expect, test } from 'vitest'
import { fourMoves, knowing, patch, plain, runAll, sets } from './overlapping.js'

const lists = [
  ['plain lists', plain],
  ['lists with belongs', knowing],
] as const

describe.each(lists)('mutations of one row that were in flight together, %s', (name, list) => {
  const own = sets
    .filter(([, , kind]) => kind === undefined || name === 'lists with belongs')
    .map(([title, mutations]) => [title, mutations] as const)
  const variants = [true, false].flatMap((isOptimistic) =>
    [true, false].map((hasDetail) => ({ isOptimistic, hasDetail, answersWhole: isOptimistic !== hasDetail })),
  )

  test.each(own)('%s, in every order and at every moment of what is asked', async (_, mutations) => {
    for (const variant of variants) {
      const { failed } = await runAll({ mutations, list, ...variant }, 'all')
      expect(failed, JSON.stringify(variant)).toEqual([])
    }
  })

  test.each(variants)('four moves, %o', async (variant) => {
    expect((await runAll({ mutations: fourMoves, list, ...variant }, 'in turn')).failed).toEqual([])
  })
})

test('four patches, lists with belongs', async () => {
  const mutations = fourMoves.map(({ body = {} }) => patch(body))
  expect((await runAll({ mutations, list: knowing }, 'in turn')).failed).toEqual([])
})
