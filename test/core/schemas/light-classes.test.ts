import { Collection, Entity, Values } from '@roundtable/core'
import { expect, test } from 'vitest'
import { open } from './open.js'

class User extends Entity {
  static override key = 'User'
  id = ''
  name = ''
}
class Comment extends Entity {
  static override key = 'Comment'
  id = ''
  text = ''
}
const comments = new Collection([Comment], { nestKey: (_, key) => ({ key }) })
class Headline extends Entity {
  static override key = 'Article'
  id = ''
  title = ''
}
class Article extends Headline {
  static override schema = { author: User, comments, readers: [User], byRole: new Values(User) }
  declare author: User
  declare comments: Comment[]
  declare readers: User[]
  declare byRole: { editor: User }
}
const article = (title: string, name = 'Ann') => ({
  id: '1',
  title,
  author: { id: 'ann', name },
  comments: [{ id: 'c', text: 'first' }],
  readers: [{ id: 'bob', name: 'Bob' }],
  byRole: { editor: { id: 'eve', name: 'Eve' } },
})
const shownOf = (data: Article | undefined) => [
  data?.author?.name,
  data?.comments?.map(({ text }) => text),
  data?.readers?.map(({ name }) => name),
  data?.byRole?.editor?.name,
]

/** What a rename of every row that the article leads to does to its page. */
async function edit({ controller }: ReturnType<typeof open>): Promise<void> {
  controller.set(User, { id: 'ann' }, { id: 'ann', name: 'Ann B.' })
  controller.set(Comment, { id: 'c' }, { id: 'c', text: 'edited' })
  controller.set(User, { id: 'bob' }, { id: 'bob', name: 'Bob B.' })
  controller.set(User, { id: 'eve' }, { id: 'eve', name: 'Eve B.' })
}
const EDITED = ['Ann B.', ['edited'], ['Bob B.'], 'Eve B.']

test('what a light class reads for a key is split by the relations of the heavy class', async () => {
  const board = open()
  const detail = await board.load('detail', Article, article('one'), { id: '1' })
  const list = await board.load('list', new Collection([Headline]), [article('two')])
  expect(list.now.data?.[0]?.title).toBe('two')
  expect(shownOf(detail.now.data)).toEqual(['Ann', ['first'], ['Bob'], 'Eve'])
  await edit(board)
  expect(shownOf(detail.now.data)).toEqual(EDITED)
})

test('what was stored before the heavy class was first used is split then', async () => {
  const board = open()
  const list = await board.load('list', new Collection([Headline]), [article('one'), { id: '2', title: 'other' }])
  const detail = board.mount('detail', Article, { id: '1' })
  expect(shownOf(detail.now.data)).toEqual(['Ann', ['first'], ['Bob'], 'Eve'])
  await edit(board)
  expect(shownOf(detail.now.data)).toEqual(EDITED)
  expect(list.now.data?.map(({ title }) => title)).toEqual(['one', 'other'])
})

test('what the split finds does not replace what came later', async () => {
  const board = open()
  await board.load('list', new Collection([Headline]), [article('one', 'old name')])
  await board.load('user', User, { id: 'ann', name: 'new name' }, { id: 'ann' })
  expect(board.mount('detail', Article, { id: '1' }).now.data?.author.name).toBe('new name')
})

test('a mutation that answers with a light class keeps the detail following its rows', async () => {
  const board = open()
  const detail = await board.load('detail', Article, article('one'), { id: '1' })
  await board.run('patch', Headline, article('two', 'Ann A.'), { id: '1' })
  expect([detail.now.data?.title, detail.now.data?.author.name]).toEqual(['two', 'Ann A.'])
  await edit(board)
  expect(shownOf(detail.now.data)).toEqual(EDITED)
})

test('a relation is never replaced by what its schema cannot read', async () => {
  const board = open()
  const detail = await board.load('detail', Article, article('one'), { id: '1' })
  const summary = { id: '1', title: 'two', author: { name: 'no id' }, comments: 3 }
  await board.load('list', new Collection([Headline]), [summary])
  expect(detail.now.data?.title).toBe('two')
  expect(shownOf(detail.now.data)).toEqual(['Ann', ['first'], ['Bob'], 'Eve'])
  await edit(board)
  expect(shownOf(detail.now.data)).toEqual(EDITED)
})

test('what a light class that was used before the heavy one reads later is split, too', async () => {
  const board = open()
  await board.load('first', [Headline], [{ id: '2', title: 'zero' }])
  const detail = await board.load('detail', Article, article('one'), { id: '1' })
  await board.load('list', new Collection([Headline]), [article('two')])
  expect(detail.now.data?.title).toBe('two')
  await edit(board)
  expect(shownOf(detail.now.data)).toEqual(EDITED)
})
