import { describe, expect } from 'vitest'
import { row } from './contract.js'
import { eventually } from './eventually.js'
import type { ReaderPage } from './reader-page.js'
import type { Tabs } from './tabs.js'

/** Suspense, transitions and boundaries of React, as a person sees them. */
export function boundaries(tabs: Tabs): void {
  const test = (name: string, show: string, work: (page: ReaderPage) => Promise<void>): void =>
    tabs.test(name, `boundaries.html?${show}`, work)

  describe('react, Suspense', () => {
    for (const name of ['both', 'siblings']) {
      test(`two reads (${name}) are requested at once, and shown together`, name, async (page) => {
        const two = await page.server.requested('GET /todos/1', 'GET /todos/2')
        await two.answer(row('2'))
        await page.rest()
        await page.hasShown(['loading'])
        await page.server.requests[0]?.answer(row())
        await page.hasShown(['loading', 't1 and t2'])
      })
    }

    test('useFetch starts at once, and use waits further down', 'use', async (page) => {
      await (await page.server.requested('GET /todos/1')).answer(row())
      await page.hasShown(['loading', 't1'])
      await page.press('Rename')
      await page.hasShown(['loading', 't1', 'mine'])
    })

    for (const name of ['Invalidate', 'Invalidate in a transition']) {
      test(
        `C1 6 cannot hold, ${name}: data that the store lost is waited for at once, as it has one version only`,
        'transition',
        async (page) => {
          await (await page.server.requested('GET /todos/1')).answer(row())
          await page.hasShown(['loading', 't1'])
          await page.press(name)
          const again = await page.server.requested('GET /todos/1', 'GET /todos/1')
          await page.hasShown(['loading', 't1', 'loading'])
          await again.answer(row('1', 'new'))
          await page.hasShown(['loading', 't1', 'loading', 'new'])
        },
      )
    }
  })

  describe('react, transitions', () => {
    for (const name of ['transition', 'deferred']) {
      test(`${name}: the old data stays and is updated until the new is ready`, name, async (page) => {
        await (await page.server.requested('GET /todos/1')).answer(row())
        await page.hasShown(['loading', 't1'])
        await page.field('Inside').fill('typed before')
        await page.press('Go to 2')
        const two = await page.server.requested('GET /todos/1', 'GET /todos/2')
        await page.hasShown(['loading', 't1', 't1, wait'])
        await page.field('Beside').fill('typed meanwhile')
        await page.press('Rename')
        await page.hasShown(['loading', 't1', 't1, wait', 'mine, wait'])
        await two.answer(row('2'))
        await page.hasShown(['loading', 't1', 't1, wait', 'mine, wait', 't2'])
        expect(await page.field('Inside').inputValue()).toBe('typed before')
        expect(await page.field('Beside').inputValue()).toBe('typed meanwhile')
      })
    }

    test('a transition to an error ends at the boundary', 'transition', async (page) => {
      await (await page.server.requested('GET /todos/1')).answer(row())
      await page.shows('t1')
      await page.press('Go to 2')
      await (await page.server.requested('GET /todos/1', 'GET /todos/2')).fail(404)
      await page.shows('failed')
      expect((await page.seen()).slice(0, 2)).toEqual(['loading', 't1'])
      expect(await page.seen()).not.toContain('loading, wait')
    })
  })

  describe('react, boundaries', () => {
    test('C7: an error is shown in its own boundary; the other one stays as it is', 'two', async (page) => {
      await page.server.requested('GET /todos/1', 'GET /todos/2')
      const [one, two] = page.server.requests
      await two?.answer(row('2'))
      await page.hasShown(['loading', 't2'], 1)
      await page.field('Inside', 1).fill('typed')
      await one?.fail(404)
      await page.hasShown(['loading', 'failed'], 0)
      await page.press('Try again', 0)
      const again = await page.server.requested('GET /todos/1', 'GET /todos/2', 'GET /todos/1')
      await page.shows('loading', 0)
      await again.answer(row())
      await page.hasShown(['loading', 'failed', 'loading', 't1'], 0)
      await page.hasShown(['loading', 't2'], 1)
      expect(await page.field('Inside', 1).inputValue()).toBe('typed')
    })

    test('C7: two that failed together are each fetched once again', 'siblings', async (page) => {
      await page.server.requested('GET /todos/1', 'GET /todos/2')
      for (const request of page.server.requests) await request.fail(404)
      await page.shows('failed')
      await page.press('Try again', 0)
      // The boundary shows one error at a time: the second is met when the first is mended.
      await eventually(() => page.server.names.slice(2).includes('GET /todos/1'), true)
      await page.server.requests[2]?.answer(row())
      await page.shows('failed')
      await page.press('Try again', 0)
      await eventually(() => page.server.names.slice(3).includes('GET /todos/2'), true)
      await page.server.requests[3]?.answer(row('2'))
      await page.shows('t1 and t2')
      await page.rest()
      expect(page.server.names).toEqual(['GET /todos/1', 'GET /todos/2', 'GET /todos/1', 'GET /todos/2'])
    })
  })
}
