// Packs the packages as they would be published, installs them into the applications of test/packages, and builds, runs
// and opens those; then tries what makes a release, and the codemods on their samples. Ends with the line `N passed, N failed`.
import { join } from 'node:path'
import { root, run, runSections, runVitest } from './checks.mjs'
import { findChromium } from './chromium.mjs'
import { folder, installExample, packPackages } from './install-examples.mjs'

await runSections({ packages, release, codemods })

async function packages() {
  const chromium = findChromium()
  if (!chromium) {
    console.log('skipped: no Chromium found. Install one, or set CHROMIUM_PATH to its program.')
    return
  }
  const packed = packPackages()
  installExample('consumers', packed)
  installExample('openapi', packed)
  const env = { CONSUMERS_FOLDER: join(folder, 'consumers'), CHROMIUM_PATH: chromium }
  await runVitest('packages', ['--config=test/projects/packages.ts', 'packages.test'], { env })
}

async function release() {
  await run([join(root, 'scripts/setup.mjs'), '--in=scripts/release'])
  await runVitest('release', ['--config=test/projects/packages.ts', 'release.test'], {
    env: { CONSUMERS_FOLDER: folder },
  })
}

async function codemods() {
  await run([join(root, 'scripts/setup.mjs'), '--in=codemods'])
  await runVitest('codemods', ['--config=test/projects/packages.ts', 'codemods.test'], {
    env: { CONSUMERS_FOLDER: folder },
  })
}
