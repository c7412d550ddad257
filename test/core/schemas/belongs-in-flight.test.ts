import { Collection, Entity } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from '../engine/clock.js'
import type { FakeRequest } from '../engine/fake-server.js'
import { open } from './open.js'

class Task extends Entity {
  static override key = 'Task'
  id = ''
  title = ''
  done = false
}
const openTasks = new Collection([Task], { belongs: (task) => !task.done })

function orders<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items]
  return items.flatMap((first) => orders(items.filter((item) => item !== first)).map((rest) => [first, ...rest]))
}

/** A list with a row that another client ticks or unticks, while this client has three requests in flight. */
async function run(
  isDone: boolean,
  sent: readonly string[],
  applied: readonly string[],
  answered: readonly string[],
  body: object = { title: 'patched' },
) {
  const { server, controller, reader, writer } = open()
  let row = { id: '1', title: 'one', done: isDone }
  const other = { id: '2', title: 'two', done: false }
  const all = () => [row, other].filter(({ done }) => !done)
  server.on('list', all)
  server.on('detail', () => row)
  server.on('patch', () => {
    row = { ...row, ...body }
    return { id: '1', ...body }
  })
  const list = reader('list', openTasks)
  const detail = reader('detail', Task)
  const patch = writer('patch', Task)
  const query = controller.watch(list, {})
  query.subscribe(() => {})
  // The row is known, whether the list has it or not.
  controller.setResponse(detail, { id: '1' }, row)
  await settle()
  for (const request of server.requests) await request.deliver()
  const flights = new Map<string, FakeRequest | undefined>()
  for (const name of sent) {
    if (name === 'patch') void controller.fetch(patch, { id: '1' }, body)
    else void controller.fetch(name === 'list' ? list : detail, name === 'list' ? {} : { id: '1' })
    flights.set(name, server.requests.at(-1))
  }
  const before = server.requests.length
  for (const name of applied) {
    if (name === 'other client') row = { ...row, done: !isDone }
    else flights.get(name)?.apply()
  }
  for (const name of answered) await flights.get(name)?.deliver()
  for (let at = before; at < server.requests.length; at++) await server.requests[at]?.deliver()
  const shown = (query.getSnapshot().data ?? []).map(({ id }) => id)
  return { shown: [...shown].sort(), there: all().map(({ id }) => id), asked: server.requests.length - before }
}

const three = orders(['patch', 'detail', 'list'])
const names = (order: readonly string[]) => order.join(' ')

describe.each([
  ['ticks', false],
  ['unticks', true],
])('a list with belongs, while another client %s a row', (_, isDone) => {
  test('a change of another field, the row and the list in flight: the list equals the server in every order', async () => {
    for (const sent of three)
      for (const applied of three)
        for (const answered of three) {
          const { shown, there } = await run(isDone, sent, ['other client', ...applied], answered)
          expect(shown, `sent ${names(sent)}, applied ${names(applied)}, answered ${names(answered)}`).toEqual(there)
        }
  })

  test('a change of another field and the list in flight: the list is what was read', async () => {
    for (const sent of orders(['patch', 'list']))
      for (const answered of orders(['patch', 'list'])) {
        const { shown, there, asked } = await run(isDone, sent, ['other client', 'patch', 'list'], answered)
        expect(shown, `sent ${names(sent)}, answered ${names(answered)}`).toEqual(there)
        expect(asked).toBe(0)
      }
  })
})

test('a change of the field that belongs reads decides, whatever the list was read to be', async () => {
  for (const isDone of [true, false])
    for (const sent of orders(['patch', 'list']))
      for (const applied of orders(['patch', 'list']))
        for (const answered of orders(['patch', 'list'])) {
          const { shown, there } = await run(isDone, sent, applied, answered, { done: !isDone })
          expect(shown, `sent ${names(sent)}, applied ${names(applied)}, answered ${names(answered)}`).toEqual(there)
        }
})

test('a list of all rows takes in one that was created while it was read: `belongs` reads no field of it', async () => {
  const { server, controller, reader, writer } = open()
  const list = reader('list', new Collection([Task], { belongs: () => true }))
  const query = controller.watch(list, {})
  query.subscribe(() => {})
  await settle()
  void controller.fetch(writer('create', Task), {}, {})
  await server.one('create').answer({ id: '1', title: 'new' })
  await server.one('list').answer([])
  expect(query.getSnapshot().data?.map(({ id }) => id)).toEqual(['1'])
})

describe('a row that this client has created, and another client has ticked since', () => {
  async function openWithCreated() {
    const { server, controller, reader, writer, run } = open()
    const list = reader('list', openTasks)
    const query = controller.watch(list, {})
    query.subscribe(() => {})
    await settle()
    await server.one('list').answer([])
    await run('create', Task, { id: '1', title: 'one', done: false })
    const ids = () => query.getSnapshot().data?.map(({ id }) => id)
    expect(ids()).toEqual(['1'])
    return { server, controller, list, patch: writer('patch', Task), ids }
  }

  test('enters no list that was read without it since, when this client changes another field', async () => {
    const { server, controller, list, patch, ids } = await openWithCreated()
    void controller.fetch(list, {})
    await server.one('list', -1).answer([])
    void controller.fetch(patch, { id: '1' }, { title: 'patched' })
    await server.one('patch').answer({ id: '1', title: 'patched' })
    expect(ids()).toEqual([])
  })

  test('enters no list that is being read without it meanwhile', async () => {
    const { server, controller, list, patch, ids } = await openWithCreated()
    void controller.fetch(list, {})
    void controller.fetch(patch, { id: '1' }, { title: 'patched' })
    await server.one('patch').answer({ id: '1', title: 'patched' })
    await server.one('list', -1).answer([])
    expect(ids()).toEqual([])
  })
})

test.each([
  [1, '2'],
  [3, '1 2'],
])('a list whose row has version %i, while version 2 is done, has %s', async (version, there) => {
  class Versioned extends Task {
    static override key = 'Versioned'
    version = 0
    static override shouldUpdate(_: object, __: object, before: { version: number }, after: { version: number }) {
      return after.version >= before.version
    }
  }
  const { server, controller, reader } = open()
  const list = reader('list', new Collection([Versioned], { belongs: (task) => !task.done }))
  const query = controller.watch(list, {})
  query.subscribe(() => {})
  await settle()
  const rows = ['1', '2'].map((id) => ({ id, title: id, done: false, version: 1 }))
  await server.one('list').answer(rows)
  controller.set(Versioned, { id: '1' }, { ...rows[0], done: true, version: 2 })
  // It is sent later, and the server answers with what it had before.
  void controller.fetch(list, {})
  await server.one('list', 1).answer([{ ...rows[0], version }, rows[1]])
  expect(
    query
      .getSnapshot()
      .data?.map(({ id }) => id)
      .join(' '),
  ).toBe(there)
})
