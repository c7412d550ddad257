import { Collection, RestEndpoint, revalidate } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { ending, openBoard, Todo, type TodoData } from '../core/engine/todo-board.js'
import type { Open } from './contract.js'
import { type Hook, view } from './harness.js'

const row = (id = '1', title = `t${id}`): TodoData => ({ id, title, userId: '1', votes: 0 })
const refused = (): Error => Object.assign(new Error('busy'), { status: 503 })

/** Requests that the library sends by itself, to keep up to date what is shown: what they fail with takes nothing off the screen. */
export function unasked(open: Open): void {
  for (const hook of ['suspense', 'dle', 'live'] as const) describe(hook, () => failing(open, hook))
  describe('pages', () => failingPages(open))
}

function failing(open: Open, hook: Hook): void {
  const noted = (options: Parameters<typeof openBoard>[0] = {}) => {
    const board = openBoard({ retention: false, ...options })
    const errors: string[] = []
    board.controller.on('error', ({ error, request }) => errors.push(`${request?.cause?.type} ${error.message}`))
    // Polled once an hour, which is not what this is about.
    const getTodo = hook === 'live' ? board.getTodo.extend({ pollFrequency: 3_600_000 }) : board.getTodo
    return { ...board, getTodo, errors }
  }

  test('a reader that mounts with stale data shows it on when the refetch fails; the next one that mounts asks again', async () => {
    const { controller, getTodo, server, clock, errors } = noted()
    controller.setResponse(getTodo, { id: '1' }, row())
    await clock.advance(60_001)
    const screen = await open(
      controller,
      view(hook, getTodo, { id: '1' }),
      view('query', Todo, { id: '1' }),
      view('error', getTodo, { id: '1' }),
    )
    await screen.act(() => server.one('getTodo').fail(refused()))
    expect(screen.texts()).toEqual(['t1', 't1', 'nothing'])
    expect(errors).toEqual(['expired busy'])
    await clock.advance(1_001)
    const next = await open(controller, view(hook, getTodo, { id: '1' }))
    await next.act(() => server.one('getTodo', 1).answer(row('1', 'new')))
    expect([...screen.texts(), ...next.texts()]).toEqual(['new', 'new', 'nothing', 'new'])
  })

  // What is polled is left to its polls.
  if (hook !== 'live') {
    test('a refetch when the user or the network comes back may fail: the next return asks again', async () => {
      const { controller, getTodo, server, clock, errors } = noted({
        managers: [revalidate({ focus: { throttle: 0 } })],
      })
      controller.setResponse(getTodo, { id: '1' }, row())
      const screen = await open(controller, view(hook, getTodo, { id: '1' }))
      await clock.advance(60_001)
      clock.announce({ online: false })
      clock.announce({ online: true })
      await screen.act(() => clock.advance(1_000))
      await screen.act(() => server.one('getTodo').fail(refused()))
      expect(screen.texts()).toEqual(['t1'])
      await clock.advance(1_001)
      const lookAway = () =>
        screen.act(() => {
          clock.announce({ visible: false })
          clock.announce({ visible: true })
        })
      await lookAway()
      await screen.act(() => server.one('getTodo', 1).fail(refused()))
      expect(screen.texts()).toEqual(['t1'])
      expect(errors).toEqual(['online busy', 'focus busy'])
      await clock.advance(1_001)
      await lookAway()
      await screen.act(() => server.one('getTodo', 2).answer(row('1', 'new')))
      expect(screen.texts()).toEqual(['new'])
    })
  }

  test('what two crossing edits have left is asked for until the server tells, and no longer than it is shown', async () => {
    const { controller, getTodo, patchNow, server, clock, errors } = noted()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => {
      ending(controller.fetch(patchNow, { id: '1' }, { title: 'a' }))
      ending(controller.fetch(patchNow, { id: '1' }, { title: 'b' }))
    })
    await screen.act(() => server.one('patch', 1).answer(row('1', 'b')))
    await screen.act(() => server.one('patch', 0).answer(row('1', 'a')))
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(server.of('getTodo')).toHaveLength(attempt + 1)
      await screen.act(() => server.one('getTodo', attempt).fail(refused()))
      expect(screen.texts()).toEqual(['b'])
      await screen.act(() => clock.advance(1_000 + 1_000 * 2 ** attempt))
    }
    expect(errors).toEqual(Array(3).fill('contested busy'))
    await screen.act(() => server.one('getTodo', 3).answer(row('1', 'a')))
    expect(screen.texts()).toEqual(['a'])
    await screen.act(() => clock.advance(60_000))
    expect(server.of('getTodo')).toHaveLength(4)
    await screen.end()
    expect(clock.pending).toBe(0)
  })

  test('a reader that leaves ends that', async () => {
    const { controller, getTodo, patchNow, server, clock } = noted()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => {
      ending(controller.fetch(patchNow, { id: '1' }, { title: 'a' }))
      ending(controller.fetch(patchNow, { id: '1' }, { title: 'b' }))
    })
    await screen.act(() => server.one('patch', 1).answer(row('1', 'b')))
    await screen.act(() => server.one('patch', 0).answer(row('1', 'a')))
    await screen.act(() => server.one('getTodo').fail(refused()))
    await screen.end()
    await clock.advance(60_000)
    expect(server.of('getTodo')).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  test('if the application waits for the same request, its error shows', async () => {
    const { controller, getTodo, server, clock } = noted()
    controller.setResponse(getTodo, { id: '1' }, row())
    await clock.advance(60_001)
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    const call = ending(controller.fetch(getTodo, { id: '1' }))
    expect(server.of('getTodo')).toHaveLength(1)
    await screen.act(() => server.one('getTodo').fail(refused()))
    expect(call.error).toMatchObject({ status: 503 })
    expect(screen.texts()).toEqual([hook === 'dle' ? 'failed: busy (t1)' : 'failed: busy'])
  })

  test('an errorPolicy of the endpoint has the last word', async () => {
    const { controller, getTodo, server, clock } = noted()
    const gone = getTodo.extend({ errorPolicy: (error) => (error.status === 404 ? undefined : 'soft') })
    controller.setResponse(gone, { id: '1' }, row())
    await clock.advance(60_001)
    const screen = await open(controller, view(hook, gone, { id: '1' }))
    await screen.act(() => server.one('getTodo').fail(Object.assign(new Error('gone'), { status: 404 })))
    expect(screen.texts()).toEqual([hook === 'dle' ? 'failed: gone (t1)' : 'failed: gone'])
  })

  test('where there is nothing to show the error shows', async () => {
    const { controller, getTodo, server } = noted()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => controller.invalidate(getTodo, { id: '1' }))
    await screen.act(() => server.one('getTodo').fail(refused()))
    expect(screen.texts()).toEqual(['failed: busy'])
  })
}

function failingPages(open: Open): void {
  test('a refresh of two pages whose first or second request fails leaves both, and `fetchNext` goes on', async () => {
    const { controller, clock } = openBoard()
    const requested: string[] = []
    const failing = new Set<string>()
    const getPaged = new RestEndpoint({
      path: '/todos',
      name: 'getPaged',
      searchParams: {} as { userId?: string } | undefined,
      schema: new Collection([Todo]),
      paginationField: 'page',
      fetchResponse: async (url) => {
        const page = new URLSearchParams(String(url).split('?')[1]).get('page') ?? '1'
        requested.push(page)
        if (failing.has(page)) throw refused()
        return Response.json([row(`${page}a`), row(`${page}b`)])
      },
    })
    const screen = await open(controller, view('pages', getPaged, { userId: '1' }))
    await screen.act(() => {})
    await screen.press(0)
    expect(screen.texts()).toEqual(['t1a,t1b,t2a,t2b +'])
    for (const page of ['1', '2']) {
      failing.add(page)
      requested.length = 0
      await clock.advance(60_001)
      const other = await open(controller, view('suspense', getPaged, { userId: '1' }))
      await other.act(() => {})
      expect(requested).toEqual(['1', '2'].slice(0, Number(page)))
      expect([...screen.texts(), ...other.texts()]).toEqual(['t1a,t1b,t2a,t2b +', 't1a,t1b,t2a,t2b'])
      await other.end()
      failing.clear()
    }
    await screen.press(0)
    expect(screen.texts()).toEqual(['t1a,t1b,t2a,t2b,t3a,t3b +'])
  })
}
