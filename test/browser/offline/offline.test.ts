import { expect, test } from 'vitest'
import { eventually } from '../adapters/eventually.js'
import { newLaptop } from './laptop.js'

const laptop = newLaptop()

test('a browser that was killed shows its rows at the next start, without a request', async () => {
  for (const title of ['a', 'b']) laptop.tasks.add(title)
  const first = await laptop.start()
  await first.call('load')
  await first.call('flush')
  const { length } = laptop.tasks.reached
  await first.kill()
  const second = await laptop.start()
  expect(await second.call('titles')).toEqual(['a', 'b'])
  expect(laptop.tasks.reached).toHaveLength(length)
  expect(await second.call('reported')).toEqual([])
})

test('a browser that is killed while the answer to a request is on its way sends it again with the same key: it is applied once', async () => {
  laptop.tasks.beforeAnswer = () => new Promise(() => {})
  const first = await laptop.start()
  await first.call('create', 'Milk')
  await eventually(() => laptop.tasks.applied.length, 1)
  await first.kill()
  laptop.tasks.beforeAnswer = () => {}
  const second = await laptop.start()
  await eventually(() => second.call('waiting'), [])
  expect(laptop.tasks.applied).toEqual(['POST /tasks {"title":"Milk"}'])
  const keys = laptop.tasks.reached.filter(({ line }) => line.startsWith('POST')).map(({ key }) => key)
  expect(keys).toEqual([keys[0], keys[0]])
})

test('what was created and edited without a server shows after the browser was killed, and is sent', async () => {
  laptop.tasks.add('a')
  const first = await laptop.start()
  await first.call('load')
  laptop.tasks.refuse = () => 503
  await first.call('create', 'Milk')
  await first.call('edit', 1, 'A')
  // Each is tried again and again.
  const isTried = (method: string) => laptop.tasks.reached.some(({ line }) => line.startsWith(method))
  await eventually(() => ['POST', 'PATCH'].map(isTried), [true, true])
  await first.kill()
  const second = await laptop.start()
  expect(await second.call('titles')).toEqual(['A', 'Milk'])
  laptop.tasks.refuse = () => undefined
  await eventually(() => second.call('waiting'), [])
  expect([...laptop.tasks.applied].sort()).toEqual(['PATCH /tasks/1 {"title":"A"}', 'POST /tasks {"title":"Milk"}'])
  expect(await second.call('titles')).toEqual(['A', 'Milk'])
})

test('a file that was chosen without a server arrives after the browser was killed', async () => {
  laptop.tasks.refuse = () => 503
  const first = await laptop.start()
  await first.call('send', 'milk.png', 'pixels')
  // It is tried again and again.
  await eventually(() => laptop.forms.length > 0, true)
  await first.kill()
  const second = await laptop.start()
  laptop.tasks.refuse = () => undefined
  await eventually(() => second.call('waiting'), [])
  expect(laptop.forms.at(-1)).toContain('filename="milk.png"')
  expect(laptop.forms.at(-1)).toContain('pixels')
})

test('a damaged record costs itself only', async () => {
  for (const title of ['a', 'b']) laptop.tasks.add(title)
  const first = await laptop.start()
  await first.call('load')
  await first.call('flush')
  await first.tab.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.open('tasks ann').onsuccess = ({ target }) => {
          const transaction = (target as IDBOpenDBRequest).result.transaction('records', 'readwrite')
          transaction.objectStore('records').add('[2,"",0,')
          transaction.oncomplete = resolve
        }
      }),
  )
  await first.tab.reload()
  await first.tab.waitForFunction(() => 'page' in window)
  expect(await first.call('titles')).toEqual(['a', 'b'])
  expect(await first.call('reported')).toEqual([expect.stringContaining('damaged record')])
})

test('12: another version of the application reads no rows of the one before, and sends its mutations', async () => {
  laptop.tasks.add('a')
  const first = await laptop.start()
  await first.call('load')
  laptop.tasks.refuse = () => 503
  await first.call('create', 'Milk')
  await eventually(() => laptop.tasks.reached.some(({ line }) => line.startsWith('POST')), true)
  await first.call('flush')
  await first.kill()
  const second = await laptop.start(() => Object.assign(window, { version: '8' }))
  expect(await second.call('titles')).toBeUndefined()
  laptop.tasks.refuse = () => undefined
  await eventually(() => second.call('waiting'), [])
  expect(laptop.tasks.applied).toEqual(['POST /tasks {"title":"Milk"}'])
  expect(await second.call('reported')).toEqual([])
})

test('18: a page that a server has rendered is taken over without a complaint, though older rows are stored: the fresh ones win', async () => {
  for (const title of ['old', 'b']) laptop.tasks.add(title)
  const first = await laptop.start()
  await first.call('load')
  await first.call('flush')
  await first.kill()
  const { length } = laptop.tasks.reached
  const second = await laptop.start()
  expect(await second.call('titles')).toEqual(['old', 'b'])
  expect(await second.call('takeOver', ['fresh', 'b', 'c'])).toEqual({ shown: ['fresh, b, c'], complaints: [] })
  expect(await second.call('titles')).toEqual(['fresh', 'b', 'c'])
  expect(laptop.tasks.reached).toHaveLength(length)
})

test('a browser that refuses the database has an application that works as without', async () => {
  laptop.tasks.add('a')
  const { call } = await laptop.start(() => {
    Object.defineProperty(IDBFactory.prototype, 'open', {
      value() {
        throw new DOMException('refused', 'SecurityError')
      },
    })
  })
  expect(await call('load')).toBe(1)
  await call('create', 'Milk')
  await eventually(() => laptop.tasks.applied.length, 1)
  await eventually(() => call('titles'), ['a', 'Milk'])
  expect((await call('reported')) as readonly string[]).toEqual([
    expect.stringContaining('could not be read'),
    expect.stringContaining('could not be written'),
  ])
})
