import { Controller, Entity, Invalidate, resource } from '@roundtable/core'
import { live } from '@roundtable/core/live'
import { describe, expect, test } from 'vitest'
import { HandClock } from '../core/engine/clock.js'
import { HandWire } from '../core/live/hand-wire.js'
import type { Open } from './contract.js'
import { view } from './harness.js'

class Task extends Entity {
  static override key = 'Task'
  id = 0
  title = ''
}

/** A list of tasks on a manual server, whose responses name the last event that they include, and a stream. */
function openTasks(saysEventId: boolean) {
  const clock = new HandClock()
  const hand = new HandWire()
  const asked: ((rows: readonly object[], eventId: string) => void)[] = []
  const controller = new Controller({
    env: clock,
    retention: false,
    transport: () =>
      new Promise((resolve) => {
        asked.push((rows, eventId) =>
          resolve(Response.json(rows, saysEventId ? { headers: { 'x-event-id': eventId } } : {})),
        )
      }),
  })
  const Tasks = resource({
    urlPrefix: 'https://api.test',
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { page?: number },
  })
  const messages = { changed: Task, created: Tasks.getList.schema.push, deleted: new Invalidate(Task) }
  const getLive = Tasks.getList.extend(
    live({ name: 'tasks', url: 'https://api.test/events', wire: hand.wire, messages }),
  )
  return { clock, hand, controller, getLive, asked }
}

/** The behaviour of `useLive` and `useSubscription` with a live endpoint. */
export function streams(open: Open): void {
  const two = [
    { id: 1, title: 'one' },
    { id: 2, title: 'two' },
  ]

  describe.each([
    ['says an event', true, 1],
    ['says none', false, 2],
  ])('two readers of a list whose response %s', (_name, saysEventId, requests) => {
    test(`have one connection and ${requests} GET, show what comes, and it is closed after the last has left`, async () => {
      const { clock, hand, controller, getLive, asked } = openTasks(saysEventId)
      const screen = await open(
        controller,
        view('live', getLive, {}),
        view('live', getLive, {}),
        view('connection', getLive, {}),
      )
      await screen.act(() => clock.advance(0))
      await screen.act(() => asked[0]?.(two, '7'))
      await screen.act(() => clock.advance(1_000))
      expect(screen.texts()).toEqual(['one,two', 'one,two', 'connecting'])
      expect(hand.streams.map(({ context }) => context.lastEventId)).toEqual([saysEventId ? '7' : undefined])
      await screen.act(() => hand.last.send({ type: 'opened', id: '7' }))
      await screen.act(() => asked[1]?.(two, '7'))
      expect([asked.length, screen.texts()[2]]).toEqual([requests, 'open'])
      await screen.act(() =>
        hand.last.send(
          { type: 'changed', data: { id: 1, title: 'ONE' }, id: '8' },
          { type: 'created', data: { id: 3, title: 'three' }, id: '9' },
          { type: 'deleted', data: { id: 2 }, id: '10' },
        ),
      )
      const before = screen.renders(0)
      await screen.act(() => clock.advance(16))
      expect(screen.texts()).toEqual(['ONE,three', 'ONE,three', 'open'])
      expect(screen.renders(0) - before).toBe(1)
      await screen.close(0)
      await screen.act(() => clock.advance(10_000))
      expect(hand.last.isAborted).toBe(false)
      await screen.close(1)
      await screen.act(() => clock.advance(5_000))
      expect([hand.last.isAborted, screen.texts().at(-1)]).toEqual([true, 'idle'])
      expect([hand.streams.length, asked.length]).toEqual([1, requests])
    })
  })

  test('a stream that is open before the first response asks for no other if it has heard what that says', async () => {
    const { clock, hand, controller, getLive, asked } = openTasks(true)
    const screen = await open(controller, view('dle', getLive, {}), view('subscription', getLive, {}))
    await screen.act(() => clock.advance(1_000))
    await screen.act(() => hand.last.send({ type: 'opened', id: '7' }))
    await screen.act(() => hand.last.send({ type: 'created', data: { id: 3, title: 'three' }, id: '8' }))
    await screen.act(() => clock.advance(16))
    await screen.act(() => asked[0]?.([...two, { id: 3, title: 'three' }], '8'))
    await screen.act(() => clock.advance(1_000))
    expect([screen.texts()[0], asked.length]).toEqual(['one,two,three', 1])
  })

  test('a source follows the arguments, and null connects to nothing', async () => {
    const { clock, hand, controller, getLive } = openTasks(true)
    const byPage = getLive.extend(
      live({
        name: 'pages',
        url: ({ page }: { page: number }) => `https://api.test/events/${page}`,
        wire: hand.wire,
        messages: {},
      }),
    )
    const screen = await open(controller, view('subscription', byPage, null), view('connection', byPage, null))
    await screen.act(() => clock.advance(1_000))
    expect([hand.streams.length, screen.texts()[1]]).toEqual([0, 'nothing'])
    for (const page of [1, 2]) {
      await screen.change(0, [{ page }])
      await screen.change(1, [{ page }])
      await screen.act(() => clock.advance(0))
      await screen.act(() => hand.last.send({}))
      expect([hand.last.context.url, screen.texts()[1]]).toEqual([`https://api.test/events/${page}`, 'open'])
    }
    await screen.act(() => clock.advance(5_000))
    expect(hand.streams.map(({ isAborted }) => isAborted)).toEqual([true, false])
  })
}
