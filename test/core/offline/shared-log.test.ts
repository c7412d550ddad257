import { Collection, Controller, Values } from '@roundtable/core'
import { memoryLog, offline, outbox } from '@roundtable/core/offline'
import { describe, expect, test } from 'vitest'
import type { MutationMark } from '../../../core/src/hydration/state.js'
import { decode, encode } from '../../../core/src/offline/record.js'
import { summarize } from '../../../core/src/offline/summary.js'
import { begin } from './tabs-harness.js'
import { rest, Task, TaskResource } from './todo-server.js'

const { create, get, getList, partialUpdate } = TaskResource
const getById = getList.extend({
  key: () => 'tasks by id',
  schema: new Collection(new Values(Task)),
  process: (tasks: readonly { id: number }[]) => Object.fromEntries(tasks.map((task) => [task.id, task])),
})
const finish = partialUpdate.extend({ path: '/tasks/:id/done' })

type Tab = Awaited<ReturnType<ReturnType<typeof begin>['open']>>

describe('the next start shows what several tabs have shown', () => {
  test('an edit that was made earlier than one of another tab, and answered later', async () => {
    const { server, open, pass } = begin({ outbox: outbox({ TaskResource, finish }) })
    const [sender, waiter] = [await open(), await open()]
    let isRefusing = true
    server.refuse = (line) => (isRefusing && line.includes('done') ? 503 : undefined)
    await sender.controller.fetch(getList)
    await pass()
    sender.call(sender.controller.fetch(finish, { id: 1 }, { done: true }))
    await pass()
    sender.call(sender.controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
    await pass()
    expect(waiter.titles()).toEqual(['A', 'b'])
    sender.tab.crash()
    isRefusing = false
    await pass(60_000)
    await pass()
    const shown = waiter.controller.get(Task, { id: 1 })
    expect(shown).toMatchObject({ title: 'A', done: true })
    const next = await open()
    expect(next.controller.get(Task, { id: 1 })).toEqual(shown)
  })

  test.each([
    {
      what: 'a list',
      read: ({ controller }: Tab): Promise<unknown> => controller.fetch(getList),
      shown: ({ titles }: Tab) => titles()?.length,
      isFirst: 2,
      isNow: 3,
    },
    {
      what: 'a map',
      read: ({ controller }: Tab) => controller.fetch(getById),
      shown: ({ controller }: Tab) => Object.keys(controller.get(getById.schema) ?? {}).length,
      isFirst: 2,
      isNow: 3,
    },
    {
      what: 'a row',
      read: ({ controller }: Tab): Promise<unknown> => controller.fetch(get, { id: 1 }),
      shown: ({ controller }: Tab) => controller.get(Task, { id: 1 })?.title,
      isFirst: 'a',
      isNow: 'A',
    },
  ])('$what that was read again, after an answer that was late in another tab', async (kind) => {
    const { read, shown, isFirst, isNow } = kind
    const { server, open, pass } = begin()
    const [late, other] = [await open(), await open()]
    let answer = (): void => {}
    server.beforeAnswer = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    late.call(read(late))
    await pass()
    server.beforeAnswer = () => {}
    server.change(1, { title: 'A' })
    server.add('c')
    await read(other)
    await pass()
    answer()
    await pass()
    expect([shown(late), shown(other)]).toEqual([isFirst, isNow])
    late.tab.crash()
    await read(other)
    await pass()
    expect(shown(other)).toBe(isNow)
    expect(shown(await open())).toBe(isNow)
  })

  test('a list that a mutation has changed, though a tab that ends then had read it before', async () => {
    const memory = memoryLog()
    let endsAt = ''
    const { server, open, pass } = begin({
      memory: {
        ...memory,
        async append(entry, isDurable) {
          const record = await memory.append(entry, isDurable)
          if (endsAt !== '' && entry.text.includes(endsAt)) late.tab.crash()
          return record
        },
      },
    })
    const [other, late] = [await open(), await open()]
    await other.controller.fetch(getList)
    await pass()
    server.add('of somebody else')
    let answer = (): void => {}
    server.beforeAnswer = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    late.call(late.controller.fetch(getList))
    await pass()
    server.beforeAnswer = () => {}
    endsAt = 'of somebody else'
    answer()
    await rest()
    other.call(other.controller.fetch(create, { title: 'new' }))
    await rest()
    expect(other.titles()).toEqual(['a', 'b', 'new'])
    await pass()
    const next = await open()
    expect(next.titles()).toEqual(['a', 'b', 'new'])
    // Each of the two lists lacked something.
    next.list.subscribe(() => {})
    await rest()
    expect(next.titles()).toEqual(['a', 'b', 'of somebody else', 'new'])
  })
})

describe('a list that several records have', () => {
  const record = (
    number: number,
    knew: number,
    place: readonly [number, MutationMark],
    members: readonly string[],
    own: readonly number[] = [],
  ) => ({
    ...{ version: '', at: 0, number, knew, own },
    state: {
      responses: [[0, 60_000, ...place] as const],
      shapes: [],
      rows: [],
      lists: [['[Task]', 0, '{}', {}, members, [], 1] as const],
      results: [],
    },
  })
  const summaryOf = (...records: readonly ReturnType<typeof record>[]) => {
    const { state } = summarize(
      records.map((each) => decode({ ...encode(each), number: each.number })),
      '',
    )
    return { members: state?.lists.map(([, , , , members]) => members), marks: state?.marks }
  }

  test('is the one that was read last, though a tab stores an older one later, which a mutation had changed', () => {
    const { members } = summaryOf(record(10, 9, [9, 0], ['a', 'c']), record(11, 7, [3, ''], ['a', 'b']))
    expect(members).toEqual([['a', 'c']])
  })

  test('is the later one of a tab that has written both before it read what another tab had written', () => {
    const changed = record(10, 7, [3, ''], ['a', 'b'])
    const { members, marks } = summaryOf(changed, record(11, 7, [7, 0], ['a', 'b', 'c'], [10]))
    expect(members).toEqual([['a', 'b', 'c']])
    expect(marks).toEqual([])
  })

  test('is asked for again if two tabs have written different ones without knowing of each other', () => {
    const { members, marks } = summaryOf(record(10, 9, [4, 0], ['a', 'c']), record(11, 7, [3, ''], ['a']))
    expect(members).toEqual([['a']])
    expect(marks).toEqual([['[Task]', '{}', expect.any(Number), 0]])
  })
})

test('a page that shows progress while 12,000 rows are read from the log has all of them once it is ready, and not before', async () => {
  const memory = memoryLog()
  let read = (): void => {}
  let isHeld = false
  const { server, device, clock, open, pass } = begin({
    memory: {
      ...memory,
      async read(after) {
        if (isHeld) {
          await new Promise<void>((go) => {
            read = go
          })
        }
        return memory.read(after)
      },
    },
  })
  for (let i = server.tasks.size; i < 12_000; i++) server.add(`task ${i}`)
  const one = await open()
  await one.controller.fetch(getList)
  await pass()
  one.tab.crash()
  isHeld = true
  const tab = device.open()
  const store = offline({ log: tab.log, outbox: outbox({ TaskResource }) })
  const controller = new Controller({ env: clock, transport: server.transport, managers: [store] })
  let isReady = false
  void store.ready.then(() => {
    isReady = true
  })
  await pass()
  expect([isReady, controller.get(Task, { id: 12_000 })]).toEqual([false, undefined])
  read()
  await rest()
  expect(isReady).toBe(true)
  expect(controller.watch(getList).getSnapshot().data).toHaveLength(12_000)
  expect(server.reached).toHaveLength(1)
})
