import { describe, expect, test } from 'vitest'
import { deletion, knowing, moveTo, patch, plain, run, runAll, sets } from './overlapping.js'

const lists = [
  ['plain lists', plain],
  ['lists with belongs', knowing],
] as const

describe.each(lists)('mutations of one row that were in flight together, %s', (name, list) => {
  const own = sets
    .filter(([, , kind]) => kind === undefined || name === 'lists with belongs')
    .map(([title, mutations]) => [title, mutations] as const)

  test.each(own)('%s: in every order the screen equals the server in the end', async (_, mutations) => {
    const { failed } = await runAll({ mutations, list, isOptimistic: false }, 'in turn')
    expect(failed).toEqual([])
  })

  test.each(own)('%s, optimistic: the same, and nothing is asked for twice', async (_, mutations) => {
    const { failed, mostAsked } = await runAll({ mutations, list }, 'in turn')
    expect(failed).toEqual([])
    // A deletion has come after whatever has only moved the row.
    expect(mostAsked).toBe(mutations.length === 2 && mutations.includes(deletion) ? 0 : 1)
  })

  test('a mounted detail equals the server too', async () => {
    const [, mutations = []] = own[0] ?? []
    for (const isOptimistic of [true, false]) {
      expect(await runAll({ mutations, list, isOptimistic, hasDetail: true }, 'all')).toMatchObject({ failed: [] })
    }
  })

  const inOrder = { applied: [0, 1], answered: [0, 1], isLazy: true, readsCome: 'at once' } as const
  test.each([
    ['of which each changes a field of its own', [moveTo('b'), patch({ title: 'x' })]],
    ['that say the same', [moveTo('b'), moveTo('b')]],
  ])('two %s: nothing contradicts, nothing is asked for', async (_, mutations) => {
    for (const isOptimistic of [true, false])
      expect(await run({ mutations, list, isOptimistic, hasDetail: true }, inOrder)).toEqual({ wrong: [], asked: [] })
  })

  test('only the lists that one of them named are asked for', async () => {
    const { asked } = await run({ mutations: [moveTo('b'), moveTo('c')], list, hasDetail: true }, inOrder)
    expect([...asked].sort()).toEqual(['detail 1', 'list a', 'list b', 'list c'])
  })
})
