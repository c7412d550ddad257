import { Collection, Entity, ExpiryStatus, type Schema } from '@roundtable/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { settle } from '../engine/clock.js'
import { open, type Reader } from './open.js'

class User extends Entity {
  static override key = 'User'
  id = ''
}
class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { user: User }
  id = ''
  user: User | undefined = undefined
}
const todos = new Collection([Todo])
const todo = (id: string, user: string) => ({ id, user: { id: user } })

async function withReads() {
  const board = open()
  const one = await board.load('one', Todo, todo('1', 'a'), { id: '1' })
  const list = await board.load('list', todos, [todo('1', 'a'), todo('2', 'b')])
  const other = await board.load('other', [User], [{ id: 'c' }])
  const requested = board.server.requests.length
  const since = () =>
    board.server.requests
      .slice(requested)
      .map(({ name }) => name)
      .sort()
  return { ...board, list, one, other, since }
}

test('expireBy fetches every key that shows the entity, also through others, and shows the data meanwhile', async () => {
  const { controller, list, one, since } = await withReads()
  controller.expireBy(User, 'b')
  await settle()
  expect(since()).toEqual(['list'])
  expect([list.now.status, one.now.status]).toEqual(['ready', 'ready'])
})

test('invalidateBy makes the readers of an entity wait; a response ends that', async () => {
  const { controller, list, one, other, since, server } = await withReads()
  controller.invalidateBy(User, 'a')
  await settle()
  expect(since()).toEqual(['list', 'one'])
  expect([list.now.status, one.now.status, other.now.status]).toEqual(['pending', 'pending', 'ready'])
  await server.one('list', -1).answer([todo('1', 'a')])
  await server.one('one', -1).answer(todo('1', 'a'))
  expect([list.now.status, one.now.status]).toEqual(['ready', 'ready'])
  expect(since()).toHaveLength(2)
})

test('without a key it covers all of the kind; for missing rows nothing', async () => {
  const { controller, since } = await withReads()
  controller.expireBy(User, 'nobody')
  controller.invalidateBy(User, 'nobody')
  await settle()
  expect(since()).toEqual([])
  controller.expireBy(User)
  await settle()
  expect(since()).toEqual(['list', 'one', 'other'])
})

test('a key that is not mounted is fetched at its next mount', async () => {
  const { controller, list, mount, one, reader, server, since } = await withReads()
  list.stop()
  one.stop()
  await settle()
  controller.invalidateBy(User, 'b')
  controller.expireBy(User, 'a')
  expect(since()).toEqual([])
  const getList = reader('list', todos)
  expect(controller.getResponse(getList, {}).expiryStatus).toBe(ExpiryStatus.Invalid)
  const [again, first] = [mount('list', todos, {}), mount('one', Todo, { id: '1' })]
  await settle()
  expect(since()).toEqual(['list', 'one'])
  expect([again.now.status, first.now.status]).toEqual(['pending', 'ready'])
  await server.one('list', -1).answer([])
  expect(again.now.status).toBe('ready')
})

test('a response in flight does not count as the new one', async () => {
  const { fetchRead, controller, one, server, since } = await withReads()
  void fetchRead('one', Todo, { id: '1' })
  controller.invalidateBy(Todo, 1)
  await server.one('one', -1).answer(todo('1', 'a'))
  await settle()
  expect(since().filter((name) => name === 'one')).toHaveLength(2)
  await server.one('one', -1).answer(todo('1', 'a'))
  expect(one.now.status).toBe('ready')
})

test('all of a kind includes the rows of a request in flight', async () => {
  const { controller, server, mount, since } = await withReads()
  const late = mount('late', [User], { id: 'd' })
  await settle()
  controller.expireBy(User)
  await server.one('late').answer([{ id: 'd' }])
  expect(late.now.status).toBe('ready')
  expect(since().filter((name) => name === 'late')).toHaveLength(2)
})

/** Reads of some users: which ones they show, directly or through todos, and whether somebody reads them. */
const someReads = fc.array(
  fc.record({
    isDirect: fc.boolean(),
    users: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 }),
    isMounted: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
)

test('all of a kind are marked as if each of them was', async () => {
  await fc.assert(
    fc.asyncProperty(someReads, fc.constantFrom('expireBy' as const, 'invalidateBy' as const), async (reads, mark) => {
      const seen = async (pks: readonly (string | undefined)[]) => {
        const board = open()
        const schemaOf = ({ isDirect }: (typeof reads)[number]): Schema => (isDirect ? [User] : todos)
        const mounted: Awaited<ReturnType<typeof board.load>>[] = []
        for (const [i, read] of reads.entries()) {
          const data = read.users.map((id) => (read.isDirect ? { id } : todo(`${i} ${id}`, id)))
          mounted.push(await board.load(`read ${i}`, schemaOf(read), data, { i }))
        }
        for (const [i, { isMounted }] of reads.entries()) if (!isMounted) mounted[i]?.stop()
        await settle()
        const before = board.server.requests.length
        for (const pk of pks) board.controller[mark](User, pk)
        await settle()
        const statuses = reads.map((read, i) => {
          const endpoint: Reader<Schema> = board.reader(`read ${i}`, schemaOf(read))
          const { expiryStatus } = board.controller.getResponse(endpoint, { i })
          return [expiryStatus, mounted[i]?.now.status]
        })
        for (const [i, read] of reads.entries()) if (!read.isMounted) board.mount(`read ${i}`, schemaOf(read), { i })
        await settle()
        const requests = board.server.requests.slice(before).map(({ name }) => name)
        return { statuses, requests: requests.sort() }
      }
      expect(await seen([undefined])).toEqual(await seen(['a', 'b', 'c', 'd']))
    }),
    { numRuns: 60 },
  )
})
