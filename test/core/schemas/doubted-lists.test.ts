import { Collection, Entity } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from '../engine/clock.js'
import { open } from './open.js'

class Item extends Entity {
  static override key = 'Item'
  id = ''
  group = ''
}
const a = (id: string) => ({ id, group: 'a' })
const plain = new Collection([Item])
const knowing = new Collection([Item], { belongs: (row, args) => row.group === args.group })

/** The response of each mutation, and the list after it. */
const mutations = [
  ['push', plain, a('2'), '1,2'],
  ['unshift', plain, a('2'), '2,1'],
  ['remove', plain, a('1'), ''],
  ['move', plain, { id: '1', group: 'b' }, ''],
  ['patch', knowing, { id: '1', group: 'b' }, ''],
] as const

describe('a list that was read after a mutation started, and before it completed', () => {
  test.each(mutations)(
    '%s: is fetched once more, since only the server knows the order',
    async (op, list, said, then) => {
      const { mutate, fetchRead, load, server } = open()
      const shown = await load('list', list, [a('1')], { group: 'a' })
      const ids = () => shown.now.data?.map(({ id }) => id).join()
      void mutate(op, op === 'patch' ? Item : list[op], { group: 'a' })
      void fetchRead('list', list, { group: 'a' })
      await server.one('list', -1).answer([a('1')])
      expect(server.of('list')).toHaveLength(2)
      await server.one(op).answer(said)
      await settle()
      expect(ids()).toBe(then)
      expect(server.of('list')).toHaveLength(3)
      await server.one('list', -1).answer([a('9')])
      expect(ids()).toBe('9')
      expect(server.of('list')).toHaveLength(3)
    },
  )

  test.each(mutations)('%s: is not, if it was read before the mutation started', async (op, list, said, then) => {
    const { mutate, load, server } = open()
    const shown = await load('list', list, [a('1')], { group: 'a' })
    void mutate(op, op === 'patch' ? Item : list[op], { group: 'a' })
    await server.one(op).answer(said)
    await settle()
    expect(shown.now.data?.map(({ id }) => id).join()).toBe(then)
    expect(server.of('list')).toHaveLength(1)
  })
})
