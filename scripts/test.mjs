// Runs every check that a change needs and ends with the line `N passed, N failed`. test-long.mjs has those that take
// longer. With names it runs those alone: node scripts/test.mjs typecheck lint Names: vitest, apps, build, typecheck,
// lint, browser, declarations, weight.
import { join } from 'node:path'
import { bin, check, root, runSections, runVitest, svelteCheck, tsc, turboBuild } from './checks.mjs'
import { findChromium } from './chromium.mjs'

/** Checks that read the built packages wait for it, if there is a build at all. */
let whenBuilt = Promise.resolve()

await runSections(
  { vitest, apps, build, typecheck, lint, browser, declarations, weight },
  // Chromium mostly waits, so it runs beside CPU-bound checks. Most tests read the sources, so they need not wait for
  // a build.
  {
    plan: [
      [
        ['vitest', 'apps'],
        ['build', 'typecheck', 'lint', 'browser', 'declarations', 'weight'],
      ],
    ],
  },
)

async function build() {
  whenBuilt = check('build', turboBuild('--output-logs=errors-only', '--continue'))
  await whenBuilt
}

/** The board as it was built. */
async function browser() {
  await whenBuilt
  const chromium = findChromium()
  const options = { env: { CHROMIUM_PATH: chromium ?? '' }, capture: true }
  if (chromium) return runVitest('the board in Chromium', ['--config=test/projects/browser.ts'], options)
  console.log('skipped: no Chromium found. Install one, or set CHROMIUM_PATH to its program.')
}

/** The emitted declarations, read by an application. */
async function declarations() {
  await whenBuilt
  await check('declarations with TypeScript 7', [tsc, '-p', 'test/declarations'])
}

/**
 * The size of the packages in an application, and how far a read that misses and an endpoint without a schema reach
 * into core.
 */
async function weight() {
  await whenBuilt
  await check('size', [join(root, 'benchmarks/size/size.mjs'), '--budgets'])
  await check('shape', [join(root, 'scripts/shape.mjs'), '--bounds'])
}

async function lint() {
  await check('biome', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'])
}

/** By the native compiler; `npm run test:long` asks TypeScript 6 and 5.9 as well. */
async function typecheck() {
  for (const folder of [
    'core',
    'adapters/react',
    'adapters/vue',
    'adapters/svelte',
    'devtools',
    'openapi',
    'compat/data-client',
    'benchmarks',
    'test',
    'test/compat',
  ])
    await check(`tsc ${folder}`, [tsc, '-p', folder])
  await check(...svelteCheck('test', 'svelte.tsconfig.json'))
  await check(...svelteCheck('adapters/svelte'))
}

async function vitest() {
  await runVitest('vitest', ['--project=!apps'])
}

/** Servers, and the documentation's programs: some of them read the packages as they are built. */
async function apps() {
  await whenBuilt
  await runVitest('apps', ['--config=test/projects/apps.ts'])
}
