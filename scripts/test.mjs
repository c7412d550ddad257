// Runs every check in order and ends with the line `N passed, N failed`.
// With names it runs those alone: node scripts/test.mjs typecheck lint
// Names: build, typecheck, declarations, lint, packages, weight, vitest, built, browser.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bin, check, checkAll, root, runSections, runVitest } from './checks.mjs'
import { findChromium } from './chromium.mjs'

const packages = ['core', 'adapters/react', 'adapters/vue', 'adapters/svelte', 'devtools']
const tsc = bin('typescript/bin/tsc')

await runSections({ build, typecheck, declarations, lint, packages: checkPackages, weight, vitest, built, browser })

async function build() {
  const args = [bin('turbo/bin/turbo'), 'run', 'build', '--output-logs=errors-only', '--continue']
  await check('build', args)
}

async function typecheck() {
  const folders = ['test', ...packages, 'benchmarks'].filter((folder) =>
    existsSync(join(root, folder, 'tsconfig.json')),
  )
  const compiled = folders.map((folder) => [`tsc ${folder}`, [tsc, '-p', folder]])
  const board = join(root, 'examples/board')
  const vue = ['vue-tsc examples/board', [bin('vue-tsc/bin/vue-tsc.js'), '--noEmit', '-p', board]]
  const svelte = ['test', 'adapters/svelte', 'examples/board'].map((folder) => {
    const where = ['--workspace', join(root, folder), '--tsconfig', join(root, folder, 'tsconfig.json')]
    return [`svelte-check ${folder}`, [bin('svelte-check/bin/svelte-check'), ...where, '--fail-on-warnings']]
  })
  // The longest first, so that none is left for the end.
  await checkAll([compiled[0], svelte[0], vue, ...svelte.slice(1), ...compiled.slice(1)])
}

/** The emitted declarations, read by an application that is checked with an older, our own and a newer compiler. */
async function declarations() {
  const compilers = {
    'TypeScript 5.9': join(root, 'test/typescript-5.9/node_modules/typescript/bin/tsc'),
    'TypeScript 6': tsc,
    'TypeScript 7': join(root, 'test/typescript-7/node_modules/typescript/bin/tsc'),
  }
  await checkAll(
    Object.entries(compilers).map(([name, compiler]) => [
      `declarations with ${name}`,
      [compiler, '-p', 'test/declarations'],
    ]),
  )
}

async function lint() {
  await check('biome', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'])
}

/** What a package says of itself in package.json, compared with what it would publish. */
async function checkPackages() {
  await checkAll(
    packages.flatMap((folder) => [
      [`publint ${folder}`, [bin('publint/src/cli.js'), folder, '--strict']],
      [`exported types of ${folder}`, [join(root, 'scripts/check-exported-types.mjs'), folder]],
    ]),
  )
}

/** What the packages weigh in an application, and how large and entangled core is: both against ceilings. */
async function weight() {
  await checkAll([
    ['size', [join(root, 'benchmarks/size/size.mjs'), '--budgets']],
    ['shape', [join(root, 'scripts/shape.mjs')]],
  ])
}

async function vitest() {
  await runVitest('vitest', ['--project=!browser'])
}

/** What is published, under the contract that the sources fulfil. */
async function built() {
  const projects = ['built', 'plain', 'react', 'vue', 'svelte'].map((name) => `--project=${name}`)
  await runVitest('built packages', [...projects, 'contract.test', 'server', 'test/built'], { BUILT: '1' })
}

async function browser() {
  const chromium = findChromium()
  if (chromium) return runVitest('browser tests', ['--project=browser'], { CHROMIUM_PATH: chromium })
  console.log('skipped: no Chromium found. Install one, or set CHROMIUM_PATH to its program.')
}
