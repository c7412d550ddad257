import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Collection, Entity } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from '../engine/clock.js'
import { type Mounted, open, type Params } from './open.js'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

class Item extends Entity {
  static override key = 'Item'
  id = ''
  group = ''
}
const items = new Collection([Item])

describe('a list that retention dropped is removed from the index of lists', () => {
  test.each([
    ['an object', () => ({ filter: { deep: ['a'] } })],
    ['text', () => ({ group: 'a' })],
    ['both', () => ({ group: 'a', filter: { deep: ['a'] } })],
  ] as const)('with %s as argument', async (_, paramsOf) => {
    const board = open()
    const { clock, run } = board
    // From whatever still knows the list, what it showed can be reached.
    const refs: WeakRef<object>[] = []
    await (async () => {
      const params: Params = paramsOf()
      const shown: Mounted<readonly Item[]> = await board.load('list', items, [{ id: '1', group: 'a' }], params)
      // A push has made the ways to find it by its arguments.
      await run('push', items.push, { id: '2', group: 'a' }, params)
      refs.push(new WeakRef(shown.now.data as object))
      shown.stop()
      board.server.requests.length = 0
    })()
    await settle()
    await clock.advance(900_000)
    expect(board.controller.get(items, paramsOf())).toBeUndefined()
    for (let round = 0; round < 5; round++) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      gc()
    }
    expect(refs.map((ref) => ref.deref())).toEqual([undefined])
  })
})
