import type { Controller } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { openBoard, type TodoData } from '../core/engine/todo-board.js'
import { expectNoise } from './expected-noise.js'
import { type View, view } from './harness.js'
import { asOnNode20 } from './node-20.js'

const row = (id = '1', title = `t${id}`): TodoData => ({ id, title, userId: '1', votes: 0 })

/** The functions a framework provides for the contract of servers. */
export interface ServerHarness {
  readonly name: string
  /** The text of a page with these readers, once all that it waits for is there; `apps` times in all, the last one's. */
  render(controller: Controller, views: readonly View[]): Promise<string>
  readonly noise: readonly RegExp[]
}

/** The behaviour of every adapter where pages are rendered to text. */
export function serverContract({ name, noise, render }: ServerHarness): void {
  describe(`${name} on a server`, () => {
    expectNoise(noise)

    test('there is no document here', () => {
      expect(typeof document).toBe('undefined')
    })

    test('stored data is rendered, without a request or a timer', async () => {
      const { controller, getTodo, server, clock } = openBoard({ server: true })
      controller.setResponse(getTodo, { id: '1' }, row())
      const ticker = getTodo.extend({ pollFrequency: 1_000 })
      const hooks = ['suspense', 'dle', 'cache', 'live', 'subscription'] as const
      const views = hooks.map((hook) => view(hook, ticker, { id: '1' }))
      expect(await render(controller, views)).toBe('t1 t1 t1 t1 t1')
      expect(clock.pending).toBe(0)
      await clock.advance(60_000)
      expect(server.requests).toHaveLength(0)
    })

    test('a miss is fetched once, and the page waits for it', async () => {
      const { controller, getTodo, server, clock } = openBoard({ server: true })
      const views = [view('suspense', getTodo, { id: '1' }), view('suspense', getTodo, { id: '1' })]
      const page = render(controller, views)
      await until(() => server.requests.length > 0)
      await server.one('getTodo').answer(row())
      expect(await page).toBe('t1 t1')
      expect(server.requests).toHaveLength(1)
      expect(clock.pending).toBe(0)
    })

    test('a controller that was not made for a server warns, and shows no stale data', async () => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue()
      const { controller, getTodo, server, clock } = openBoard()
      controller.setResponse(getTodo, { id: '1' }, row('1', 'of another user'))
      await clock.advance(60_001)
      const page = render(controller, [view('suspense', getTodo, { id: '1' })])
      await until(() => server.requests.length > 0)
      await server.one('getTodo').answer(row('1', 'new'))
      expect(await page).toBe('new')
      expect(warn.mock.calls).toEqual([[expect.stringContaining('new Controller({ server: true })')]])
      warn.mockRestore()
    })

    test('a controller made for a server reads no clock while it renders', async () => {
      const { controller, getTodo, clock } = openBoard({ server: true })
      controller.setResponse(getTodo, { id: '1' }, row())
      const spies = (['now', 'mono', 'random', 'setTimeout'] as const).map((name) => vi.spyOn(clock, name))
      const hooks = ['suspense', 'dle', 'cache', 'live', 'subscription'] as const
      expect(
        await render(
          controller,
          hooks.map((hook) => view(hook, getTodo, { id: '1' })),
        ),
      ).toBe('t1 t1 t1 t1 t1')
      for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    })

    test('parallel reads are requested at once', async () => {
      const { controller, getTodo, server } = openBoard({ server: true })
      const page = render(controller, [view('parallel', getTodo, { id: '1' }, { id: '2' })])
      await until(() => server.requests.length > 0)
      expect(server.requests).toHaveLength(2)
      await server.one('getTodo', 1).answer(row('2'))
      await server.one('getTodo', 0).answer(row('1'))
      expect(await page).toBe('t1 + t2')
    })

    test('S5: all requests of a page, sequential and parallel, are collected on Node 20', async () => {
      const text = await asOnNode20(async () => {
        const { controller, getTodo, getTodos, server } = openBoard({ server: true })
        const page = render(controller, [
          view('suspense', getTodos, { userId: '1' }),
          view('parallel', getTodo, { id: '3' }, { id: '4' }),
        ])
        const rows = (name: string): unknown => (name === 'getTodos' ? [row('1'), row('2')] : undefined)
        for (let sent = 0; sent < 3; sent++) {
          await until(() => server.requests.length > sent)
          const request = server.requests[sent]
          await request?.answer(rows(request.name) ?? row((request.args[0] as { id: string }).id))
        }
        return page
      })
      expect(text).toBe('t1,t2 t3 + t4')
    })

    test('readers that do not wait are rendered as they are, and fetch nothing', async () => {
      const { controller, getTodo, server, clock } = openBoard({ server: true })
      const views = (['dle', 'cache', 'subscription'] as const).map((hook) => view(hook, getTodo, { id: '1' }))
      expect(await render(controller, views)).toBe('loading nothing nothing')
      expect(server.requests).toHaveLength(0)
      expect(clock.pending).toBe(0)
    })

    test('C10: a thousand pages on a controller that would poll leave no listener', async () => {
      // One that was not made for a server, which is warned of.
      vi.spyOn(console, 'warn').mockReturnValueOnce()
      const { controller, getTodo, server, clock } = openBoard({ retention: false })
      controller.setResponse(getTodo, { id: '1' }, row())
      const ticker = getTodo.extend({ pollFrequency: 1_000 })
      const views = (['suspense', 'dle', 'cache', 'live'] as const).map((hook) => view(hook, ticker, { id: '1' }))
      for (let at = 0; at < 1_000; at++) expect(await render(controller, views)).toBe('t1 t1 t1 t1')
      await clock.advance(60_000)
      expect(clock.pending).toBe(0)
      expect(server.requests).toHaveLength(0)
    })

    test('S1: none of 200 concurrent pages of different users shows data of another', async () => {
      const users = Array.from({ length: 200 }, (_, index) => `user${index}`)
      const pages = users.map(async (user, index) => {
        const { controller, getTodo, server } = openBoard({ server: true })
        const page = render(controller, [view('suspense', getTodo, { id: '1' })])
        await until(() => server.requests.length > 0)
        for (let turn = 0; turn < (index * 7) % 13; turn++) await Promise.resolve()
        await server.one('getTodo').answer(row('1', user))
        const text = await page
        controller.dispose()
        return text
      })
      expect(await Promise.all(pages)).toEqual(users)
    })
  })
}

async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100 && !isSo(); turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}

/** The texts of the readers in a rendered page. */
export function textOf(html: string): string {
  const sections = html.split('<section').slice(1)
  return sections
    .map((section) =>
      section
        .slice(section.indexOf('>') + 1)
        .replace(/<!--.*?-->/g, '')
        .replace(/<[^>]*>/g, '')
        .trim(),
    )
    .join(' ')
}
