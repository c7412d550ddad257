import { LiveRefusedError } from '@roundtable/core/live'
import { connect, type LogEvent, type Session } from '@roundtable/devtools'
import { afterEach, describe, expect, test } from 'vitest'
import { settle } from '../core/engine/clock.js'
import { openLive } from '../core/live/hand-wire.js'

const sessions: Session[] = []

afterEach(() => {
  for (const session of sessions.splice(0)) session.disconnect()
})

/** A list whose stream is open, watched by the tools, and one row of it. */
async function open(options: Parameters<typeof openLive>[0] = {}) {
  const board = openLive({ url: 'https://api.test/events?token=abc', ...options })
  const session = connect(board.controller)
  sessions.push(session)
  board.read()
  await settle()
  await board.server.one('getTodos').answer([{ id: '1', title: 'one' }])
  await board.clock.advance(0)
  await board.hand.last.send({ type: 'opened', id: '7' })
  await board.server.one('getTodos', 1).answer([{ id: '1', title: 'one' }])
  return { ...board, session }
}

const verbOf = (event: LogEvent): string => (event.type === 'action' ? event.action : event.type)
const subjectOf = (event: LogEvent): string => ('key' in event ? (event.key ?? '') : '')
const told = (event: LogEvent): string => `${verbOf(event)} ${subjectOf(event)}`
const of = (session: Session, verb: string): LogEvent[] => session.events().filter((event) => verbOf(event) === verb)
const last = (session: Session, verb: string): LogEvent => of(session, verb).at(-1) as LogEvent
/** What led to an event and what followed, as lines. */
const lines = (session: Session, event: LogEvent): string[] =>
  session.explain(event).map((step) => `${'  '.repeat(step.depth)}${told(step.event)}`)

describe('messages of a live source', () => {
  test('are the cause of the commit of their frame, by name and number', async () => {
    const { session, hand, clock } = await open()
    await hand.last.send(
      { type: 'changed', data: { id: '1', title: 'uno' } },
      { type: 'changed', data: { id: '1', title: 'eins' } },
      { type: 'created', data: { id: '2', title: 'two' } },
    )
    await clock.advance(16)
    const commit = last(session, 'commit')
    const explained = lines(session, commit)
    expect(explained[0]).toBe(
      'message 2 × changed, created (3 in this frame) from todos https://api.test/events?token=***',
    )
    expect(explained).toHaveLength(2)
    expect(explained[1]).toMatch(/^ {2}commit /)
    expect(session.explain(commit)[0]?.because).toMatch(/came, and were written/)
  })

  test('of one frame that a request has divided are two events, one after the other', async () => {
    const { session, hand, clock, controller, patch } = await open()
    await hand.last.send({ type: 'changed', data: { id: '1', title: 'uno' } })
    controller.fetch(patch, { id: '1' }, { title: 'mine' }).catch(() => {})
    await hand.last.send({ type: 'changed', data: { id: '1', title: 'due' } })
    await clock.advance(16)
    expect(of(session, 'message').map(subjectOf)).toEqual(
      Array(2).fill(expect.stringMatching(/^changed \(1 in this frame\)/)),
    )
    const [first, second] = of(session, 'message') as { id: number }[]
    const commit = last(session, 'commit') as Extract<LogEvent, { type: 'commit' }>
    expect(commit.facts.causes).toEqual([first?.id, second?.id])
  })

  test('of unknown names, and those that a reset has dropped, are none', async () => {
    const { session, hand, clock, controller } = await open()
    await hand.last.send({ type: 'other', data: { id: '1' } })
    await clock.advance(16)
    await hand.last.send({ type: 'changed', data: { id: '1', title: 'uno' } })
    controller.resetEntireStore()
    await clock.advance(16)
    expect(of(session, 'message')).toEqual([])
  })
})

describe('a connection of a live source', () => {
  test('tells that it is open, and what was fetched because of it', async () => {
    const { session } = await open()
    const [opened, ...followed] = lines(session, last(session, 'connection'))
    expect(opened).toBe('connection todos https://api.test/events?token=***: open, may lack something')
    expect(followed.filter((line) => line.startsWith('  fetch '))).toHaveLength(1)
    expect(followed.filter((line) => line.startsWith('    commit '))).toHaveLength(1)
  })

  test.each([
    ['the server ends it', 'cut', (board: Awaited<ReturnType<typeof open>>) => board.hand.last.cut()],
    ['it fails', 'cut', (board: Awaited<ReturnType<typeof open>>) => board.hand.last.cut(new Error('a wire'))],
    ['nothing is heard of it', 'silence', (board: Awaited<ReturnType<typeof open>>) => board.clock.advance(45_000)],
    [
      'the page is hidden',
      'hidden',
      async ({ clock }: Awaited<ReturnType<typeof open>>) => {
        clock.announce({ visible: false })
        await clock.advance(30_000)
        clock.announce({ visible: true })
      },
    ],
    [
      'the device is offline',
      'offline',
      async ({ clock }: Awaited<ReturnType<typeof open>>) => {
        clock.announce({ online: false })
        await clock.advance(1)
        clock.announce({ online: true })
      },
    ],
  ])('that ends since %s says why, and so does the next one, which leads to what is fetched', async (_, why, end) => {
    const board = await open()
    const { session, clock, hand, server } = board
    await end(board)
    expect(told(last(session, 'connection'))).toMatch(new RegExp(`: ${why}\\b`))
    await clock.advance(2_000)
    await hand.last.send({ type: 'opened', id: '9' })
    expect(hand.streams).toHaveLength(2)
    const again = last(session, 'connection')
    expect(told(again)).toMatch(new RegExp(`: open again after ${why}, may lack something$`))
    expect(server.of('getTodos').length).toBe(3)
    expect(lines(session, last(session, 'fetch'))[0]).toBe(told(again))
  })

  test('that goes on behind the last event says so, and leads to nothing', async () => {
    const { session, clock, hand } = await open()
    await hand.last.cut()
    await clock.advance(2_000)
    await hand.last.send({ type: 'opened', id: '7' })
    const again = last(session, 'connection')
    expect(lines(session, again)).toEqual([expect.stringMatching(/: open again after cut, goes on behind 7$/)])
  })

  test('that is refused says so and asks the endpoint, and no other follows', async () => {
    const { session, clock, hand, server } = await open()
    const before = server.of('getTodos').length
    await hand.last.cut(new LiveRefusedError('https://api.test/events', { status: 401 }))
    await clock.advance(60_000)
    expect([hand.streams.length, server.of('getTodos').length]).toEqual([1, before + 1])
    const asked = last(session, 'connection')
    expect(told(asked)).toMatch(/: refused, so the endpoint is asked$/)
    expect(lines(session, last(session, 'fetch'))[0]).toBe(told(asked))
  })

  test('that cannot be made leads to the requests of fallbackPoll, one after the other', async () => {
    const { session, clock, hand, server } = await open({ fallbackPoll: 400 })
    clock.randomValue = 0.999
    await hand.last.cut()
    const before = server.of('getTodos').length
    for (const number of [0, 1]) {
      await clock.advance(400)
      await server.one('getTodos', before + number).answer([{ id: '1', title: 'one' }])
      expect(lines(session, last(session, 'fetch'))[0]).toMatch(/connection .*: not open, so the endpoint is asked$/)
    }
  })
})
