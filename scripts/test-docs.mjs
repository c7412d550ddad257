// Builds the documentation site, checks its types, and opens it in Chromium. Ends with the line `N passed, N failed`.
// With names it runs those alone: node scripts/test-docs.mjs site
import { join } from 'node:path'
import { bin, check, root, runSections, runVitest } from './checks.mjs'
import { findChromium } from './chromium.mjs'

await runSections({ build, sizes, types, site })

async function build() {
  await check('npm run docs:build', [join(root, 'scripts/docs.mjs'), 'build'])
}

/** The sizes that the pages tell; the packages were built with the site. */
async function sizes() {
  await check('sizes in the pages', [join(root, 'benchmarks/size/pages.mjs')])
}

async function types() {
  await check('vue-tsc docs', [bin('vue-tsc/bin/vue-tsc.js'), '--noEmit', '-p', join(root, 'docs')])
}

/** Without Chromium what the files alone show: links, names, and that the reference has everything. */
async function site() {
  const chromium = findChromium()
  if (!chromium)
    console.log('No Chromium found, so the pages are not opened. Install one, or set CHROMIUM_PATH to its program.')
  const files = chromium ? [] : ['reference.test', 'files.test']
  await runVitest('site', ['--config=test/projects/site.ts', ...files], { env: { CHROMIUM_PATH: chromium ?? '' } })
}
