// Runs what would make `npm test` long: the contract of the adapters on the built packages and on other versions of
// their frameworks, all random programs, files named *.long.test.ts, older compilers, and what the packages would
// publish. Ends with the line `N passed, N failed`. With names it runs those alone: node scripts/test-long.mjs built
// Names: build, compilers, packages, vitest, built.
import { join } from 'node:path'
import { bin, check, checkAll, root, runSections, runVitest, svelteCheck, turboBuild } from './checks.mjs'

const packages = [
  'core',
  'adapters/react',
  'adapters/vue',
  'adapters/svelte',
  'devtools',
  'openapi',
  'compat/data-client',
]

await runSections({ build, compilers, packages: checkPackages, vitest, built })

async function build() {
  await check('build', turboBuild('--output-logs=errors-only'))
}

/** Applications are checked with these too: everything with 6, and the declarations with the oldest too. */
async function compilers() {
  const tsc = bin('typescript/bin/tsc')
  const oldest = join(root, 'test/typescript-5.9/node_modules/typescript/bin/tsc')
  await checkAll([
    ...['test', 'test/compat', ...packages, 'benchmarks'].map((folder) => [
      `TypeScript 6 ${folder}`,
      [tsc, '-p', folder],
    ]),
    ['vue-tsc examples/board', [bin('vue-tsc/bin/vue-tsc.js'), '--noEmit', '-p', 'examples/board']],
    svelteCheck('examples/board'),
    ['declarations with TypeScript 6', [tsc, '-p', 'test/declarations']],
    ['declarations with TypeScript 5.9', [oldest, '-p', 'test/declarations']],
  ])
  await runVitest('types with TypeScript 6', ['--config=test/projects/types.ts'], { env: { TYPES_CHECKER: tsc } })
}

/** Each package.json, compared with the files that the package would publish. */
async function checkPackages() {
  await checkAll(
    packages.flatMap((folder) => [
      [`publint ${folder}`, [bin('publint/src/cli.js'), folder, '--strict']],
      [`exported types of ${folder}`, [join(root, 'scripts/check-exported-types.mjs'), folder]],
    ]),
  )
}

async function vitest() {
  await runVitest('long', ['--config=test/projects/long.ts'])
}

/** The published files, under the contract that the sources fulfil. */
async function built() {
  await runVitest('built packages', ['--config=test/projects/built.ts'], { env: { BUILT: '1' } })
}
