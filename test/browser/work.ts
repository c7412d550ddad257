import type { Page } from 'playwright-core'

/** The work of a page during a step: facts that are the same on every machine, however busy it is. */
export interface Work {
  /** Calls of all functions in the page's scripts, as V8 counts them. */
  readonly calls: number
  /** Calls of the one that was called most: a loop over a list calls at least one for each member. */
  readonly most: number
  /** Changes of the document: each node that came or went, each attribute and each text. */
  readonly changes: number
}

/** Runs a step and counts the work of the page. */
export async function workOf(page: Page, act: () => Promise<unknown>): Promise<Work> {
  const session = await page.context().newCDPSession(page)
  await session.send('Profiler.enable')
  await page.evaluate(countChanges)
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await act()
  const { result } = await session.send('Profiler.takePreciseCoverage')
  const changes = await page.evaluate(() => (window as unknown as Counting).changes())
  await session.detach()
  const counts = result
    // Code that the test runs in the page has no URL.
    .filter(({ url }) => url !== '')
    .flatMap(({ functions }) => functions.map(({ ranges: [whole] }) => whole?.count ?? 0))
  return { calls: counts.reduce((sum, count) => sum + count, 0), most: Math.max(...counts), changes }
}

interface Counting {
  changes(): number
}

/** Runs in the page. */
function countChanges(): void {
  let sum = 0
  const add = (records: readonly MutationRecord[]): void => {
    for (const { addedNodes, removedNodes } of records) sum += Math.max(1, addedNodes.length + removedNodes.length)
  }
  const observer = new MutationObserver(add)
  const all = { subtree: true, childList: true, attributes: true, characterData: true }
  observer.observe(document, all)
  // Open shadow roots have documents of their own.
  for (const element of document.querySelectorAll('*'))
    if (element.shadowRoot) observer.observe(element.shadowRoot, all)
  Object.assign(window, {
    changes: () => {
      add(observer.takeRecords())
      observer.disconnect()
      return sum
    },
  })
}
