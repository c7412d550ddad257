import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Board, openBoard, type Row, temporaryFolder } from './board.js'

const TASKS = 20_000
const { folder, remove } = temporaryFolder()
let board: Board

beforeAll(async () => {
  board = await openBoard(folder, undefined, TASKS)
})

afterAll(async () => {
  await board.close()
  remove()
})

test('a new database can have many more tasks: all with their own titles, over the four projects as in the small one', async () => {
  const tasks: Row[] = []
  for (let page = 1; page <= TASKS / 5_000; page++) {
    tasks.push(...(await board.send<Row[]>('GET', `/api/tasks?sort=id&limit=5000&page=${page}`)).body)
  }
  const shares = [1, 2, 3, 4].map((id) => tasks.filter(({ projectId }) => projectId === id))
  expect(shares.map(({ length }) => length)).toEqual([5_714, 5_179, 4_821, 4_286])
  for (const share of shares) expect(new Set(share.map(({ title }) => title)).size).toBe(share.length)
  expect(new Set(tasks.map(({ status }) => status)).size).toBe(4)
})

test('a new task gets the next number', async () => {
  const { body } = await board.send('POST', '/api/tasks', { projectId: 1, title: 'One more' })
  expect(body.id).toBe(TASKS + 1)
})
