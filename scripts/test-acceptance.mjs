// The checks that take long in Chromium: the adapters' contract; how the board looks, with 50,000 tasks, with a server
// that fails, and by axe; reads against a real server; the devtools on the board and within other tools; the benchmarks
// once. Ends with the line `N passed, N failed`.
import { bin, check, runSections, runVitest, turboBuild } from './checks.mjs'
import { findChromium } from './chromium.mjs'

await runSections({ acceptance })

async function acceptance() {
  const chromium = findChromium()
  if (!chromium) {
    console.log('skipped: no Chromium found. Install one, or set CHROMIUM_PATH to its program.')
    return
  }
  await check('build', turboBuild('--output-logs=errors-only'))
  // The packages of other tools are installed for this alone, so nothing else checks these types.
  await check('types within other tools', [bin('typescript/bin/tsc'), '-p', 'test/browser/homes'])
  await runVitest('acceptance', ['--config=test/projects/acceptance.ts'], { env: { CHROMIUM_PATH: chromium } })
}
