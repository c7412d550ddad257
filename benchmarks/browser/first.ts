// The first use of a library, in pages that were just loaded: what its declarations take, and the first list of 500
// rows, in React, also with the processor four times slower. Each sample is a page of its own, in turns; the figure is
// the median.
//
//     npm run bench:first [-- --quick]
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.mjs'
import { summary } from '../node/measure.js'
import { contenders, OURS } from './contenders.js'
import { type Site, serve } from './serve.js'
import { Tab } from './tab.js'

const samples = process.argv.includes('--quick') ? 1 : 15
const folder = fileURLToPath(new URL('.', import.meta.url))
const executablePath = findChromium()
if (executablePath === undefined) throw new Error('No Chromium found. Install one, or set CHROMIUM_PATH.')
const sites = [await serve(folder), await serve(folder, { isHinted: true })] as const
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--js-flags=--expose-gc'],
})

interface Runner {
  readonly name: string
  readonly library: string
  readonly site: Site
}

const peer: Runner = { name: 'TanStack Query', library: 'TanStack Query', site: sites[0] }
const ours: readonly Runner[] = [
  { name: 'Roundtable', library: OURS, site: sites[0] },
  { name: 'Roundtable, with the hint', library: OURS, site: sites[1] },
]

try {
  for (const slower of [1, 4]) {
    await compare(`declarations of 13 endpoints, processor ${slower} × slower`, (runner) =>
      declarations(runner, slower),
    )
    await compare(`first list of 500, processor ${slower} × slower`, (runner) => firstList(browser, runner, slower))
  }
} finally {
  await browser.close()
  for (const site of sites) await site.close()
}

async function compare(name: string, sample: (runner: Runner) => Promise<number>): Promise<void> {
  const runners = [peer, ...ours]
  const times = runners.map((): number[] => [])
  for (let round = 0; round < samples; round++)
    for (const [i, runner] of runners.entries()) times[i]?.push(await sample(runner))
  const [theirs = Number.NaN] = times.map((taken) => summary(name, taken).median)
  console.log(name)
  for (const [i, runner] of runners.entries()) {
    const { low, median, high } = summary(runner.name, times[i] ?? [])
    const figures = `${median.toFixed(1)} ms (${low.toFixed(1)}–${high.toFixed(1)})`
    console.log(`  ${runner.name.padEnd(26)} ${figures.padEnd(24)} ${(median / theirs).toFixed(2)} ×`)
  }
}

/** Milliseconds that an application's declarations take when the library has been loaded and nothing of it has run. */
async function declarations({ library, site }: Runner, slower: number): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await page.goto(`${site.url}/?declarations=${encodeURIComponent(library)}`)
  await page.waitForFunction(() => 'declare' in window)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const taken = await page.evaluate(() => (window as unknown as { declare(): Promise<number> }).declare())
  await context.close()
  return taken
}

/** Milliseconds that the page's thread works from showing the list to the frame that paints it. */
async function firstList(browser: Browser, { library, site }: Runner, slower: number): Promise<number> {
  const contender = contenders.find((one) => one.framework === 'React' && one.library === library)
  if (contender === undefined) throw new Error(`There is no page of ${library}.`)
  const tab = await Tab.open(browser, site.url, contender)
  await tab.prepare('list of 500, fetched', 0)
  await tab.slowDown(slower)
  const before = await tab.worked()
  await tab.act()
  const taken = (await tab.worked()) - before
  await tab.close()
  return taken
}
