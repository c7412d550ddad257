import { poll, RestEndpoint } from '@roundtable/core'
import { connect, DevtoolsError, parseRecording, type Session } from '@roundtable/devtools'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { follow } from '../../devtools/src/homes/follow.js'
import { recordedSession } from '../../devtools/src/recorded-session.js'
import { withoutQuietParts } from '../../devtools/src/story.js'
import { callsDuring } from '../calls.js'
import { settle } from '../core/engine/clock.js'
import { ending, openBoard, Todo, watch } from '../core/engine/todo-board.js'

const row = (id = '1', title = 't') => ({ id, title, userId: '1', votes: 0 })
const sessions: Session[] = []

afterEach(() => {
  for (const session of sessions.splice(0)) session.disconnect()
})

function open(name?: string) {
  const board = openBoard()
  const session = connect(board.controller, name === undefined ? {} : { name })
  sessions.push(session)
  return { ...board, session }
}

/** An explanation as lines: how deep, which event, which number. */
function lines(session: Session, event = session.events().at(-1)): string[] {
  if (event === undefined) return []
  return session
    .explain(event)
    .map((step) => `${'  '.repeat(step.depth)}${step.event.type}${'id' in step.event ? ` ${step.event.key}` : ''}`)
}

describe('an explanation', () => {
  test('leads from a contested request back to the call that overlapped, and on to who was notified', async () => {
    const { session, controller, getTodo, patchNow, server } = open()
    watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    ending(controller.fetch(patchNow, { id: '1' }, { title: 'new' }))
    await server.one('patch').answer(row('1', 'new'))
    await server.one('getTodo').answer(row('1', 'old'))
    await server.one('getTodo', 1).answer(row('1', 'new'))
    const again = session.events().find((event) => event.type === 'fetch' && event.cause.type === 'contested')
    const patch = patchNow.key({ id: '1' }, { title: 'new' })
    const read = getTodo.key({ id: '1' })
    expect(lines(session, again)).toEqual([
      `fetch ${patch}`,
      '  commit',
      '  commit',
      `  settle ${patch}`,
      `  fetch ${read}`,
      '    commit',
      `    settle ${read}`,
    ])
    expect(session.explain(again as never).find(({ event }) => event === again)?.because).toMatch(/overlapped/)
  })

  test('names the rows, the fields and the readers of a commit', async () => {
    const { session, controller, getTodo, server } = open()
    watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    await server.one('getTodo').answer(row())
    controller.set(Todo, { id: '1' }, { title: 'new' })
    const commit = session.events().at(-1)
    expect(commit?.type === 'commit' && commit.facts.rows()).toMatchObject([
      { kind: 'Todo', pk: '1', fields: ['title'] },
    ])
    expect(session.readersOf(commit as never)).toMatchObject([{ type: 'watch', listenerCount: 1 }])
    expect(lines(session)).toEqual(['action Todo', '  commit'])
  })

  test('of an event whose cause is older than the log begins with that event', () => {
    const { session, controller } = open()
    controller.set(Todo, { id: '1' }, row())
    session.clear()
    expect(session.events()).toEqual([])
    controller.set(Todo, { id: '2' }, row('2'))
    expect(lines(session)).toEqual(['action Todo', '  commit'])
  })
})

describe('a session', () => {
  test('remembers the last 1,000 events, in order', () => {
    const { session, controller } = open()
    for (let i = 0; i < 1_500; i++) controller.set(Todo, { id: '1' }, { title: `${i}` })
    const events = session.events()
    expect(events).toHaveLength(1_000)
    expect(events.every((event, i) => i === 0 || event.n === (events[i - 1]?.n ?? 0) + 1)).toBe(true)
    expect(events.at(-1)?.n).toBe(3_000)
  })

  test('gives a change the time of its action, and a later one its own', () => {
    const { session, controller } = open()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(1_000)
    controller.set(Todo, { id: '1' }, row())
    clock.mockReturnValue(2_000)
    controller.set(Todo, { id: '1' }, { title: 'b' })
    clock.mockRestore()
    expect(session.events().map(({ type, at }) => `${type} ${at}`)).toEqual([
      'action 1000',
      'commit 1000',
      'action 2000',
      'commit 2000',
    ])
  })

  test('notes a batch of many changes with as much work for each as for a few', async () => {
    const callsFor = async (count: number): Promise<number> => {
      const { session, controller } = open()
      const calls = await callsDuring(() =>
        controller.notifyOnce(() => {
          for (let i = 0; i < count; i++) controller.set(Todo, { id: `${i}` }, row(`${i}`))
        }),
      )
      const last = session.events().at(-1)
      expect(last?.type === 'commit' && [last.facts.causes.length, last.facts.rowCount]).toEqual([count, count])
      return calls
    }
    const few = await callsFor(1_000)
    expect(few).toBeGreaterThan(1_000)
    // Ten times as many changes, each compared with those before, would be a hundred times the calls.
    expect(await callsFor(10_000)).toBeLessThan(few * 10.5)
  })

  test('shows rows by level, links, writers and tombstones', async () => {
    const { session, controller, patchNow, removeNow } = open()
    controller.set(Todo, { id: '1' }, { ...row(), user: { id: '9', name: 'Ada' } } as never)
    ending(controller.fetch(patchNow, { id: '1' }, { title: 'new' }))
    const shown = session.row('Todo', '1')
    expect(shown?.value).toMatchObject({ title: 'new', user: '9' })
    expect(shown?.links).toEqual({ user: 'User' })
    expect(shown?.levels.map(({ by }) => by)).toEqual([0, session.layers()[0]?.id])
    expect(shown?.writtenBy.title).toBe(1)
    ending(controller.fetch(removeNow, { id: '1' }))
    expect(session.row('Todo', '1')?.isTombstone).toBe(true)
    expect(session.row('Todo', 'none')).toBeUndefined()
    expect(session.row('Nothing', '1')).toBeUndefined()
  })

  test('drops a layer while its request goes on, and edits a row', async () => {
    const { session, controller, patchNow, server } = open()
    controller.set(Todo, { id: '1' }, row())
    ending(controller.fetch(patchNow, { id: '1' }, { title: 'hoped' }))
    expect(controller.get(Todo, { id: '1' })?.title).toBe('hoped')
    expect(session.dropLayer(session.layers()[0]?.id ?? 0)).toBe(true)
    expect(controller.get(Todo, { id: '1' })?.title).toBe('t')
    session.edit('Todo', '1', { title: 'by hand' })
    expect(controller.get(Todo, { id: '1' })?.title).toBe('by hand')
    await server.one('patch').answer(row('1', 'saved'))
    expect(controller.get(Todo, { id: '1' })?.title).toBe('saved')
    expect(session.dropLayer(99)).toBe(false)
    expect(() => session.edit('Nothing', '1', {})).toThrow(/is not the key of an entity/)
  })

  test('fetches and invalidates a key that is read, and says so of others', async () => {
    const { session, controller, getTodo, server } = open()
    const key = getTodo.key({ id: '1' })
    expect([session.refetch(key), session.invalidate(key)]).toEqual([false, false])
    watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    await server.one('getTodo').answer(row())
    expect(session.results()).toMatchObject([{ key, isLoaded: true, listenerCount: 1 }])
    expect(session.invalidate(key)).toBe(true)
    await settle()
    expect(session.requests()).toMatchObject([{ key, cause: { type: 'invalidate' } }])
    await server.one('getTodo', 1).answer(row())
    expect(session.refetch(key)).toBe(true)
    expect(session.requests()).toMatchObject([{ cause: { type: 'refetch' } }])
  })

  test('pretends a network that fails, and the real one again', async () => {
    const { session, controller } = open()
    const transport = vi.fn(async () => Response.json({ ok: true }))
    vi.stubGlobal('fetch', transport)
    const ping = new RestEndpoint({ urlPrefix: 'http://x.test', path: '/ping', method: 'POST' })
    session.simulate({ status: 503 })
    const failed = ending(controller.fetch(ping))
    await expect.poll(() => failed.error).toMatchObject({ status: 503 })
    session.simulate({ offline: true })
    const offline = ending(controller.fetch(ping))
    await expect.poll(() => offline.error).toMatchObject({ name: 'TransportError' })
    expect(transport).not.toHaveBeenCalled()
    session.simulate(undefined)
    const real = ending(controller.fetch(ping))
    await expect.poll(() => real.value).toEqual({ ok: true })
    vi.unstubAllGlobals()
  })

  test('has a name of its own, is found by it, and goes when it is disconnected', () => {
    const [one, other] = [open('app').session, open('app').session]
    expect([one.name, other.name]).toEqual(['app', 'app 2'])
    expect(globalThis.__ROUNDTABLE__?.get('app 2')).toBe(other)
    other.disconnect()
    expect(globalThis.__ROUNDTABLE__?.has('app 2')).toBe(false)
  })

  test('is the same for a controller that is connected again by its name, until it is disconnected', () => {
    const { session, controller } = open('again')
    expect(connect(controller, { name: 'again' })).toBe(session)
    const other = open('again').session
    expect(connect(controller, { name: 'again' })).toBe(session)
    session.disconnect()
    // A late end of the old one must not end the new one.
    const next = connect(controller, { name: 'again' })
    sessions.push(next)
    session.disconnect()
    expect([next.name, other.name, globalThis.__ROUNDTABLE__?.get('again') === next]).toEqual([
      'again',
      'again 2',
      true,
    ])
  })

  test('whose controller is disposed while it is connected keeps its log, and its verbs do nothing', () => {
    const { session, controller } = open()
    controller.set(Todo, { id: '1' }, row())
    const heard = vi.fn()
    session.subscribe(heard)
    controller.dispose()
    expect(session.events().map(({ type }) => type)).toEqual(['action', 'commit'])
    expect([session.refetch('GET /'), session.invalidate('GET /'), session.dropLayer(1)]).toEqual([false, false, false])
    expect(() => session.simulate({ status: 500 })).not.toThrow()
    expect(() => parseRecording(JSON.stringify(session.export()))).not.toThrow()
    session.disconnect()
    session.disconnect()
    expect(heard).not.toHaveBeenCalled()
  })

  test('with stacks names each reader after its component, and so does what it exports', () => {
    const { controller, getTodo } = openBoard()
    const session = connect(controller, { stacks: true })
    sessions.push(session)
    function TodoTitle(): void {
      watch(controller.watch(getTodo, { id: '1' }))
    }
    TodoTitle()
    expect(session.readers()[0]?.names).toEqual(['TodoTitle'])
    expect(recordedSession(parseRecording(JSON.stringify(session.export()))).readers()[0]?.names).toEqual(['TodoTitle'])
  })

  test('of a disposed controller says so, and nothing throws', () => {
    const { session, controller } = open()
    controller.dispose()
    expect(session.isDisposed).toBe(true)
    expect([session.events(), session.requests(), session.readers()]).toEqual([[], [], []])
    const late = connect(controller)
    sessions.push(late)
    expect(late.isDisposed).toBe(true)
  })
})

describe('polls', () => {
  /** A reader that polls each second: `answers` are what the server says to each poll, or the status that it fails with. */
  async function polling(answers: readonly (object | number)[]) {
    const board = open()
    const { controller, getTodo, clock, server } = board
    const endpoint = getTodo.extend({ pollFrequency: 1_000 })
    watch(controller.watch(endpoint, { id: '1' }))
    watch(controller.observe(poll, endpoint, { id: '1' }))
    await settle()
    await server.one('getTodo').answer(row())
    let count = 0
    for (const answer of answers) {
      await clock.advance(1_000 * (count > 0 && typeof answers[count - 1] === 'number' ? 60 : 1))
      await settle()
      const request = server.one('getTodo', ++count)
      if (typeof answer === 'number') await request.fail(Object.assign(new Error('down'), { status: answer }))
      else await request.answer(answer)
    }
    return board
  }
  const shown = (session: Session): string[] =>
    withoutQuietParts(session.events()).map((event) => {
      if (event.type !== 'fetch') return event.type
      return `${event.cause.type}${event.quietPolls ? ` ×${event.quietPolls.count}` : ''}`
    })

  test('of a key that change nothing are one event with a count, and its explanation has the last of them', async () => {
    const { session } = await polling([row(), row(), row()])
    expect(shown(session)).toEqual(['mount', 'commit', 'settle', 'poll ×3'])
    const [event] = session.events().filter((one) => one.type === 'fetch' && one.quietPolls !== undefined)
    expect(event && lines(session, event).map((line) => line.trim().split(' ')[0])).toEqual([
      'fetch',
      'commit',
      'settle',
    ])
    expect(session.explain(event as never)[0]?.because).toMatch(
      /every 1 s\. Nothing had changed, as at the 2 polls before, since/,
    )
    const exported = recordedSession(parseRecording(JSON.stringify(session.export())))
    expect(shown(exported)).toEqual(shown(session))
  })

  test('that change something or fail stay visible, and what follows is counted anew', async () => {
    const { session } = await polling([
      row(),
      row(),
      row('1', 'new'),
      row('1', 'new'),
      503,
      row('1', 'new'),
      row('1', 'new'),
    ])
    expect(shown(session)).toEqual([
      ...['mount', 'commit', 'settle', 'poll ×2'],
      ...['poll', 'commit', 'settle', 'poll ×1'],
      ...['poll', 'commit', 'settle', 'poll ×2'],
    ])
  })

  test('push nothing else out of the log', async () => {
    const { session } = await polling(Array.from({ length: 400 }, () => row()))
    expect(shown(session)).toEqual(['mount', 'commit', 'settle', 'poll ×400'])
  })

  test('are told to other tools once they have settled: the first of those that change nothing, and all others', async () => {
    vi.stubGlobal('requestAnimationFrame', (run: () => void) => queueMicrotask(run))
    const told: string[] = []
    const { session, clock, server } = await polling([])
    const stop = follow(session, (news) => {
      told.push(...news.map((event) => `${event.type}${event.type === 'fetch' ? ` ${event.cause.type}` : ''}`))
    })
    for (const [count, title] of ['t', 't', 'new', 'new'].entries()) {
      await clock.advance(1_000)
      await settle()
      await server.one('getTodo', count + 1).answer(row('1', title))
      await settle()
    }
    vi.stubGlobal('cancelAnimationFrame', () => {})
    stop()
    vi.unstubAllGlobals()
    expect(told).toEqual(['fetch poll', 'fetch poll', 'commit', 'settle', 'fetch poll'])
  })

  test('in flight are shown, and an event that was looked at then is the same one later', async () => {
    const { session, clock, server } = await polling([row()])
    await clock.advance(1_000)
    expect(shown(session)).toEqual(['mount', 'commit', 'settle', 'poll ×1', 'poll'])
    const inFlight = session.events().at(-1) as never
    expect(session.explain(inFlight)).toHaveLength(1)
    await server.one('getTodo', 2).answer(row())
    expect(shown(session)).toEqual(['mount', 'commit', 'settle', 'poll ×2'])
    expect(session.explain(inFlight)).toHaveLength(3)
  })
})

describe('an export', () => {
  test('is JSON that can be read again, whatever rows contain', () => {
    const { session, controller } = open()
    controller.set(Todo, { id: '<b>' }, { ...row('<b>'), title: '<img src=x onerror=alert(1)>', votes: 10n as never })
    const text = JSON.stringify(session.export())
    const recording = parseRecording(text)
    expect(recording.rows[0]?.value).toMatchObject({ title: '<img src=x onerror=alert(1)>', votes: '10' })
    expect(recording.events.map(({ type }) => type)).toEqual(['action', 'commit'])
  })

  test.each([
    ['no JSON', '{', /not JSON/],
    ['other JSON', '[]', /not from/],
    ['null', 'null', /not from/],
    ['another version', '{"format":"roundtable-devtools","version":9}', /version 9/],
    ['half of one', '{"format":"roundtable-devtools","version":1}', /incomplete/],
  ])('that is %s is refused', (_, text, message) => {
    expect(() => parseRecording(text)).toThrow(DevtoolsError)
    expect(() => parseRecording(text)).toThrow(message)
  })
})
