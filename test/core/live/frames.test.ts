import { Entity, Invalidate, poll, type RequestPart, type SourceHost } from '@roundtable/core'
import { live } from '@roundtable/core/live'
import { describe, expect, test } from 'vitest'
import { settle } from '../engine/clock.js'
import { ending, Todo, Todos, watch } from '../engine/todo-board.js'
import { HandWire, openLive, openRead } from './hand-wire.js'

const changed = (id: string, fields: object) => ({ type: 'changed', data: { id, ...fields } })
const created = (id: string, fields: object) => ({ type: 'created', data: { id, ...fields } })
const deleted = (id: string) => ({ type: 'deleted', data: { id } })

describe('messages', () => {
  test('wait for the next frame and are one commit: a change, an addition and a deletion', async () => {
    const { hand, clock, shown, controller } = await openRead({}, [
      { id: '1', title: 'one' },
      { id: '2', title: 'two' },
    ])
    const commits: unknown[] = []
    controller.on('commit', (event) => commits.push(event))
    await hand.last.send(changed('1', { title: 'ONE' }), created('3', { title: 'three' }))
    await hand.last.send(deleted('2'))
    expect(shown()).toEqual(['1 one', '2 two'])
    await clock.advance(16)
    expect(shown()).toEqual(['1 ONE', '3 three'])
    expect(commits).toHaveLength(1)
  })

  test('on a hidden page wait for 250 ms, also those that waited for a frame when it was hidden', async () => {
    const { hand, clock, shown } = await openRead()
    clock.announce({ visible: false })
    await hand.last.send(changed('1', { title: 'ONE' }))
    await clock.advance(249)
    expect(shown()).toEqual(['1 one'])
    await clock.advance(1)
    expect(shown()).toEqual(['1 ONE'])
  })

  test('that wait for a frame are written on a page that is hidden before it comes', async () => {
    const { hand, clock, shown } = await openRead()
    const hidden = clock.frame.bind(clock)
    // A browser paints nothing of a hidden page.
    Object.assign(clock, { frame: (run: () => void) => clock.isVisible() || hidden(run) })
    await hand.last.send(changed('1', { title: 'ONE' }))
    clock.announce({ visible: false })
    await clock.advance(250)
    expect(shown()).toEqual(['1 ONE'])
  })

  test('of one row in a frame are one row, whose later fields win', async () => {
    const { hand, clock, controller } = await openRead()
    await hand.last.send(
      changed('1', { title: 'a', votes: 1 }),
      changed('1', { votes: 2 }),
      changed('1', { title: 'b' }),
    )
    await clock.advance(16)
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'b', votes: 2 })
  })

  test('that change what was added in the same frame leave it an addition', async () => {
    const { hand, clock, shown } = await openRead()
    await hand.last.send(created('2', { title: 'new', userId: '1' }), changed('2', { title: 'newer' }))
    await hand.last.send(changed('3', { title: 'early' }), created('3', { title: 'late' }))
    await clock.advance(16)
    expect(shown()).toEqual(['1 one', '2 newer', '3 late'])
  })

  test('that delete a row beat those before, and a row that comes back after that is there', async () => {
    const { hand, clock, shown } = await openRead()
    await hand.last.send(created('2', { title: 'short' }), changed('1', { title: 'ONE' }), deleted('2'), deleted('1'))
    await hand.last.send(created('1', { title: 'again' }))
    await clock.advance(16)
    expect(shown()).toEqual(['1 again'])
  })

  test('lose nothing of what lies in former fields of the row', async () => {
    const { hand, clock, shown, controller, getTodos } = await openRead()
    await hand.last.send(
      changed('1', { user: { id: '7', name: 'Ada' } }),
      changed('1', { user: { id: '7' }, title: 'ONE' }),
    )
    await clock.advance(16)
    expect(shown()).toEqual(['1 ONE'])
    expect(controller.peek(getTodos, {}).getSnapshot()?.[0]?.user).toMatchObject({ name: 'Ada' })
  })

  test('enter the lists that they match, and no other', async () => {
    const { hand, clock, shown, read, server } = openLive()
    read({ userId: '1' })
    read({ userId: '2' })
    await settle()
    await server.one('getTodos', 0).answer([])
    await server.one('getTodos', 1).answer([])
    await clock.advance(0)
    await hand.last.send(created('5', { title: 'five', userId: '2' }))
    await clock.advance(16)
    expect([shown({ userId: '1' }), shown({ userId: '2' })]).toEqual([[], ['5 five']])
    expect(hand.streams).toHaveLength(1)
  })

  test('that move a row move it to where the row belongs, and not to where its only reader is', async () => {
    const { hand, clock, shown, read, server, controller } = openLive({ messages: { moved: Todos.move } })
    const args = { userId: '1' }
    read(args)
    await settle()
    await server.one('getTodos').answer([{ id: '5', title: 'five', userId: '1' }])
    await clock.advance(0)
    controller.set(Todo, { id: '5' }, { userId: '2' })
    await hand.last.send({ type: 'moved', data: { id: '5' } })
    await clock.advance(16)
    expect(shown(args)).toEqual([])
  })

  test('of a row are not the response of an endpoint that reads another row of the entity', async () => {
    const { hand, clock, controller, server, getTodo } = openLive()
    const source = live({ name: 'todo', url: '/', wire: hand.wire, messages: { changed: Todo } })
    const getLiveTodo = getTodo.extend(source)
    const query = controller.watch(getLiveTodo, { id: '1' })
    query.subscribe(() => {})
    controller.observe(poll, getLiveTodo, { id: '1' }).subscribe(() => {})
    await settle()
    await server.one('getTodo').answer({ id: '1', title: 'one' })
    await clock.advance(0)
    // The second one has what a merge of both would lose.
    await hand.last.send(changed('2', { user: { id: '7', name: 'Ada' } }), changed('2', { user: { id: '7' } }))
    await clock.advance(16)
    expect(query.getSnapshot().data?.id).toBe('1')
    expect(controller.get(Todo, { id: '2' })?.user?.name).toBe('Ada')
  })

  test("of the endpoint's own schema replace its data", async () => {
    const { hand, clock, shown } = await openRead()
    await hand.last.send({ type: 'all', data: [{ id: '8', title: 'eight' }] })
    await clock.advance(16)
    expect(shown()).toEqual(['8 eight'])
  })

  test('that cannot be written are reported, and all others are written', async () => {
    const { hand, clock, shown, reported } = await openRead()
    await hand.last.send(
      changed('1', { title: 'ONE' }),
      { type: 'changed', data: { title: 'no key' } },
      created('2', { title: 'two' }),
    )
    await hand.last.send({ type: 'changed', data: true }, { type: 'unknown', data: 1 }, { data: 5 })
    await clock.advance(16)
    expect(shown()).toEqual(['1 ONE', '2 two'])
    expect(reported.map(({ name }) => name)).toEqual(['MissingPkError', 'SchemaError'])
  })

  test('of an entity whose response is processed, or decides itself what is newer, are not put together', async () => {
    class Task extends Entity {
      static override key = 'Task'
      static override process({ task_id: id, ...fields }: { task_id: number }) {
        return { ...fields, id }
      }
      id = 0
      text = ''
      version = 0
    }
    class Note extends Entity {
      static override key = 'Note'
      static override shouldUpdate(_: unknown, __: unknown, before: { version?: number }, after: { version?: number }) {
        return (after.version ?? 0) >= (before.version ?? 0)
      }
      id = 0
      text = ''
      version = 0
    }
    const { hand, clock, controller } = await openRead({
      messages: { task: Task, note: Note, gone: new Invalidate(Task) },
    })
    await hand.last.send(
      { type: 'task', data: { task_id: 1, id: 0, text: 'first' } },
      { type: 'task', data: { task_id: 2, id: 0, text: 'second' } },
      { type: 'note', data: { id: 1, text: 'new', version: 2 } },
      { type: 'note', data: { id: 1, text: 'old', version: 1 } },
      { type: 'gone', data: 1 },
    )
    await clock.advance(16)
    expect(controller.get(Task, { id: 1 })).toBeUndefined()
    expect(controller.get(Task, { id: 2 })?.text).toBe('second')
    expect(controller.get(Note, { id: 1 })).toMatchObject({ text: 'new', version: 2 })
  })
})

describe('the order of messages', () => {
  test('is that of their arrival: three of them win over the answer of a request that was sent before', async () => {
    const { hand, clock, shown, controller, getTodos, server } = await openRead({}, [
      { id: '1', title: 'one' },
      { id: '2', title: 'two' },
    ])
    const slow = controller.fetch(getTodos, {})
    await settle()
    await hand.last.send(changed('1', { title: 'ONE' }), created('3', { title: 'three' }), deleted('2'))
    await clock.advance(16)
    await server.one('getTodos', server.of('getTodos').length - 1).answer([
      { id: '1', title: 'one' },
      { id: '2', title: 'two' },
    ])
    await slow
    expect(shown()).toEqual(['1 ONE', '3 three'])
  })

  test('puts those before a request below its answer, though they wait for the frame', async () => {
    const { hand, clock, shown, controller, getTodo, server } = await openRead()
    await hand.last.send(changed('1', { title: 'before' }))
    const fetched = controller.fetch(getTodo, { id: '1' })
    await server.one('getTodo').answer({ id: '1', title: 'fetched' })
    await fetched
    await clock.advance(16)
    expect(shown()).toEqual(['1 fetched'])
  })

  test('puts those after a request of the same frame above its answer', async () => {
    const { hand, clock, shown, controller, getTodo, server } = await openRead()
    await hand.last.send(changed('2', { title: 'before' }))
    const fetched = controller.fetch(getTodo, { id: '1' })
    await hand.last.send(changed('1', { title: 'after' }))
    await server.one('getTodo').answer({ id: '1', title: 'fetched' })
    await fetched
    await clock.advance(16)
    expect(shown()).toEqual(['1 after'])
  })

  test('in two places are shown by one notification', async () => {
    const { hand, clock, shown, controller, getTodo, reading } = await openRead({}, [
      { id: '1', title: 'one' },
      { id: '2', title: 'two' },
    ])
    const list = watch(reading.query)
    await hand.last.send(changed('2', { title: 'before' }))
    void ending(controller.fetch(getTodo, { id: '3' }))
    await hand.last.send(changed('1', { title: 'after' }))
    const before = list.notified
    await clock.advance(16)
    expect([shown(), list.notified - before]).toEqual([['1 after', '2 before'], 1])
  })

  test('an optimistic edit, its echo and its answer are at most two renders', async () => {
    const { hand, clock, controller, patchNow, server, reading } = await openRead()
    const list = watch(reading.query)
    await settle()
    const before = list.notified
    const patched = ending(controller.fetch(patchNow, { id: '1' }, { title: 'mine' }))
    await settle()
    await hand.last.send(changed('1', { title: 'mine' }))
    await clock.advance(16)
    await server.one('patch').answer({ id: '1', title: 'mine' })
    expect(patched.isOver).toBe(true)
    expect(list.notified - before).toBeLessThanOrEqual(2)
    expect(list.now.data).toMatchObject([{ title: 'mine' }])
    expect(server.of('getTodos')).toHaveLength(2)
  })
})

describe('a reset in the middle of a frame', () => {
  test('drops its messages, aborts the connection and makes a new one with new headers', async () => {
    let token = 'old'
    const { hand, clock, controller, server, getTodos } = await openRead({ headers: () => ({ authorization: token }) })
    await hand.last.send(changed('1', { title: 'of the old session' }), created('9', { title: 'too' }))
    token = 'new'
    controller.resetEntireStore()
    expect(hand.streams[0]?.isAborted).toBe(true)
    await clock.advance(16)
    await server.one('getTodos', server.of('getTodos').length - 1).answer([])
    await clock.advance(16)
    expect(controller.peek(getTodos, {}).getSnapshot()).toEqual([])
    expect(controller.get(Todo, { id: '9' })).toBeUndefined()
    expect(hand.streams.map(({ context }) => context.headers.get('authorization'))).toEqual(['old', 'new'])
  })
})

test('places in the order are given back, by a frame that is written and by one that is dropped', async () => {
  const places = new Set<number>()
  const hand = new HandWire()
  const [source] = live({ name: 'todos', url: '/', wire: hand.wire, messages: { changed: Todo } }).parts
  /** Notes the places that the source has. */
  const noted = (host: SourceHost): SourceHost => ({
    ...host,
    signal: host.signal,
    get now() {
      return host.now
    },
    begin() {
      const start = host.begin()
      places.add(start)
      return start
    },
    end(start) {
      places.delete(start)
      host.end(start)
    },
    tell: (...args) => host.tell(...args),
    notifyOnce: (work) => host.notifyOnce(work),
    write: (...args) => host.write(...args),
    expire: (...args) => host.expire(...args),
  })
  const part: RequestPart = {
    name: 'noted',
    subscribe: (host, call) => source?.subscribe?.(noted(host), call) ?? (() => {}),
  }
  const { controller, clock, getTodos } = openLive()
  controller.observe(poll, getTodos.extend({ parts: [part] }), {}).subscribe(() => {})
  await clock.advance(0)
  await hand.last.send(changed('1', { title: 'one' }))
  expect(places.size).toBe(1)
  await clock.advance(16)
  expect(places.size).toBe(0)
  await hand.last.send(changed('1', { title: 'uno' }))
  expect(places.size).toBe(1)
  controller.resetEntireStore()
  expect(places.size).toBe(0)
})

describe('back-pressure', () => {
  test('reading stops where as many rows wait as may, also in the middle of what has come, and goes on after the frame', async () => {
    const { hand, clock, shown } = await openRead({ maxBuffer: 3 }, [])
    const batch = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => created(`${from + i}`, { title: 't' }))
    const before = hand.last.read
    await hand.last.send(...batch(1, 2))
    await hand.last.send(...batch(3, 8))
    await hand.last.send(...batch(11, 2))
    expect(hand.last.read - before).toBe(2)
    for (const [count, read] of [
      [3, 2],
      [6, 2],
      [9, 3],
      [12, 3],
    ]) {
      await clock.advance(16)
      expect([shown()?.length, hand.last.read - before]).toEqual([count, read])
    }
  })

  test('a server is not lost while nobody reads what it has sent', async () => {
    const { hand, clock, status } = await openRead({ maxBuffer: 1, silence: 10 }, [])
    await hand.last.send(created('1', { title: 't' }))
    await clock.advance(15)
    expect([status().status, hand.last.isAborted]).toEqual(['open', false])
    await clock.advance(1)
    await clock.advance(9)
    expect(hand.last.isAborted).toBe(false)
    await clock.advance(1)
    expect([status().status, hand.last.isAborted]).toEqual(['waiting', true])
  })
})

describe('mistakes', () => {
  test.each([
    ['silence', { silence: 0 }],
    ['maxBuffer', { maxBuffer: Number.NaN }],
    ['fallbackPoll', { fallbackPoll: -1 }],
    ['wire', { wire: 'sse' as never }],
    ['url', { url: 5 as never }],
    ['headers', { headers: {} as never }],
    ['messages', { messages: { opened: Entity } }],
    ['messages', { messages: { changed: 'Todo' as never } }],
  ])('of the option %s are refused', (_, wrong) => {
    const right = { name: 'todos', url: '/', wire: async function* () {}, messages: {} }
    expect(() => live({ ...right, ...wrong })).toThrow(expect.objectContaining({ name: 'OptionError' }))
  })

  test('a source of an endpoint with pollFrequency is reported', async () => {
    const { getLive, controller, reported } = openLive()
    controller.observe(poll, getLive.extend({ pollFrequency: 1_000 }), {}).subscribe(() => {})
    await settle()
    expect(reported).toMatchObject([{ callback: 'todos', cause: { name: 'OptionError' } }])
  })
})

test.each([0, 17])(
  'a message that moves a row while an edit of another field is answered, %i ms before that answer, moves it',
  async (gap) => {
    const board = openLive({ messages: { moved: Todos.move } })
    const { controller, server, getLive, patchNow, hand, clock } = board
    const from = { id: '9', title: 'a', userId: '1', votes: 0 }
    const lists = ['1', '2'].map((userId) => {
      board.subscribe({ userId })
      return watch(controller.watch(getLive, { userId }))
    })
    let row = from
    let asked = 0
    const answer = async () => {
      for (const request of server.of('getTodos').slice(asked)) {
        asked++
        await request.answer((request.args[0] as { userId: string }).userId === row.userId ? [row] : [])
      }
    }
    await settle()
    await answer()
    await clock.advance(0)
    await hand.last.send({ type: 'opened', id: '0' })
    await answer()
    void controller.fetch(patchNow, { id: '9' }, { votes: 7 })
    row = { ...from, votes: 7, userId: '2' }
    await hand.last.send({ type: 'moved', data: row })
    await clock.advance(gap)
    await server.one('patch').answer({ ...from, votes: 7 })
    await clock.advance(100)
    const shown = () => lists.map(({ now }) => now.data)
    expect(shown()).toEqual([[], [row]])
    await answer()
    expect(shown()).toEqual([[], [row]])
  },
)
