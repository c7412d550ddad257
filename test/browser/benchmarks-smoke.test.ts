import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { contenders } from '../../benchmarks/browser/contenders.js'
import { markdown } from '../../benchmarks/browser/report.js'
import { scenarios } from '../../benchmarks/browser/scenarios.js'
import { serve } from '../../benchmarks/browser/serve.js'
import { type Comparison, QUICK, runSuite } from '../../benchmarks/browser/suite.js'
import { startChromium } from './chromium.js'

const folder = fileURLToPath(new URL('../../benchmarks/browser/', import.meta.url))

test('the browser suite: everybody shows the same, and ours renders what changed', async () => {
  const site = await serve(folder)
  const browser = await startChromium()
  try {
    const { comparisons, firsts, heaps } = await runSuite(browser, site.url, QUICK)
    const names = new Set(comparisons.map(({ scenario }) => scenario))
    expect(names).toEqual(new Set(scenarios.filter(({ count }) => count <= QUICK.largest).map(({ name }) => name)))
    expect(heaps).toHaveLength(contenders.length)
    expect(firsts).toHaveLength(contenders.length)
    for (const framework of ['React', 'Vue', 'Svelte']) {
      expect(ours(comparisons, framework, 'one issue changed, seen in list, detail and card')).toMatchObject({
        rendered: 3,
        requests: 1,
      })
      expect(ours(comparisons, framework, 'a user renamed, 1,000 rows')).toMatchObject({ rendered: 100, requests: 1 })
    }
    const run = { date: '', machine: '', versions: {}, seconds: 0, comparisons, firsts, heaps }
    expect(markdown(run)).toContain('| Roundtable |')
  } finally {
    await browser.close()
    await site.close()
  }
})

/** Our results in one scenario. */
function ours(comparisons: readonly Comparison[], framework: string, scenario: string) {
  return comparisons
    .find((comparison) => comparison.framework === framework && comparison.scenario === scenario)
    ?.findings.find(({ library }) => library === 'Roundtable')
}
