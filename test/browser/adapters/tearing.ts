import { describe, expect, test } from 'vitest'
import type { CountsPage, Findings, Way } from './pages/react/counts.js'
import type { Tabs } from './tabs.js'

/**
 * React renders with pauses, in which the store may change: readers of one number must never be seen to differ. The
 * checks have the numbers that the list of scenarios (C1) gives them.
 */
export function tearing(tabs: Tabs): void {
  /** Runs a check on a fresh page of readers that use a hook. */
  function check(hook: string, way: Way, run: 'mount' | 'update' | 'intrude', more = ''): Promise<Findings> {
    const address = `counts.html?hook=${hook}${way === 'deferred' ? '&deferred' : ''}${more}`
    return tabs.on(address, ({ page }) =>
      page.evaluate(([run, way]) => (window as unknown as { countsPage: CountsPage }).countsPage[run](way), [
        run,
        way,
      ] as const),
    )
  }

  const checks = [
    ['C1 1 and 3: no tearing on update, neither finally nor temporarily, in a transition', 'transition', 'update'],
    ['C1 2 and 4: no tearing on mount, neither finally nor temporarily, in a transition', 'transition', 'mount'],
    ['C1 7 and 9: no tearing on update, neither finally nor temporarily, with a deferred value', 'deferred', 'update'],
    ['C1 8 and 10: no tearing on mount, neither finally nor temporarily, with a deferred value', 'deferred', 'mount'],
    ['C1: no tearing on update, neither finally nor temporarily, outside transitions', 'outside', 'update'],
    ['C1: no tearing on mount, neither finally nor temporarily, outside transitions', 'outside', 'mount'],
  ] as const

  for (const hook of ['query', 'suspense']) {
    describe(`react, tearing, ${hook}`, () => {
      for (const [name, way, run] of hook === 'query' ? checks : checks.slice(0, 4)) {
        test(name, async () => {
          const findings = await check(hook, way, run)
          expect(new Set(findings.shown)).toEqual(new Set([String(findings.count)]))
          expect(findings.shown).toHaveLength(20)
          expect(findings.torn).toBe(0)
          // Mounting pauses, so that readers do meet different numbers while they are rendered.
          if (run === 'mount' && way !== 'outside') expect(findings.crossed).toBeGreaterThan(0)
        })
      }

      test('C2: a change between render and commit, in a transition, is never shown mixed', async () => {
        const { torn, turns, shown, count } = await check(hook, 'transition', 'intrude', '&mounted')
        expect(turns).toBeGreaterThan(0)
        expect(count).toBe(1)
        expect(shown).toEqual(Array.from({ length: 21 }, () => '1'))
        expect(torn).toBe(0)
      })
    })
  }

  describe('react, tearing, limits of every store that React reads by useSyncExternalStore', () => {
    // What React reads by useSyncExternalStore it cannot have in two versions: it renders a change of the store at once and
    // without a pause, also when the change was made in a transition. So check 5, that an update in a transition may be
    // interrupted, cannot hold for any store that is read that way; nor can check 6, that the screen keeps the version
    // before the transition until the transition is done ("Invalidate in a transition" of the boundaries shows that).
    test('C1 5 cannot hold: a change of the store in a transition is rendered without a pause', async () => {
      const { turns, crossed } = await check('query', 'transition', 'update')
      expect(turns).toBe(0)
      expect(crossed).toBe(0)
    })
  })

  describe('react, tearing, readers without useSyncExternalStore', () => {
    test('are seen to tear, so the checks work', async () => {
      const updated = await check('careless', 'transition', 'update')
      const mounted = await check('careless', 'transition', 'mount')
      expect(updated.torn).toBeGreaterThan(0)
      expect(mounted.torn).toBeGreaterThan(0)
      expect(new Set(mounted.shown).size).toBeGreaterThan(1)
    })
  })
}
