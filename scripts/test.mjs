// Runs every check in order and ends with the line `N passed, N failed`.
// With names it runs those alone: node scripts/test.mjs typecheck lint
// Names: build, typecheck, declarations, lint, packages, weight, vitest, built, browser.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium } from './chromium.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const packages = ['core', 'adapters/react', 'adapters/vue', 'adapters/svelte']
const bin = (path) => join(root, 'node_modules', ...path.split('/'))
const tsc = bin('typescript/bin/tsc')

const sections = { build, typecheck, declarations, lint, packages: checkPackages, weight, vitest, built, browser }
const failures = []
let passed = 0

await main(process.argv.slice(2))

async function main(names) {
  const unknown = names.filter((name) => !Object.hasOwn(sections, name))
  if (unknown.length > 0) {
    console.error(`No such check: ${unknown.join(', ')}. There are: ${Object.keys(sections).join(', ')}.`)
    process.exit(1)
  }
  for (const name of names.length > 0 ? names : Object.keys(sections)) {
    console.log(`\n━━━ ${name}`)
    await sections[name]()
  }
  report()
}

function report() {
  if (passed + failures.length === 0) failures.push('no check ran')
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`)
  process.exitCode = failures.length > 0 ? 1 : 0
  console.log(`\n${passed} passed, ${failures.length} failed`)
}

async function build() {
  const args = [bin('turbo/bin/turbo'), 'run', 'build', '--output-logs=errors-only', '--continue']
  await check('build', args)
}

async function typecheck() {
  for (const folder of [...packages, 'test', 'benchmarks']) {
    if (existsSync(join(root, folder, 'tsconfig.json'))) await check(`tsc ${folder}`, [tsc, '-p', folder])
  }
  const board = join(root, 'examples/board')
  await check('vue-tsc examples/board', [bin('vue-tsc/bin/vue-tsc.js'), '--noEmit', '-p', board])
  for (const folder of ['adapters/svelte', 'test', 'examples/board']) {
    const where = ['--workspace', join(root, folder), '--tsconfig', join(root, folder, 'tsconfig.json')]
    await check(`svelte-check ${folder}`, [bin('svelte-check/bin/svelte-check'), ...where, '--fail-on-warnings'])
  }
}

/** The emitted declarations, read by an application that is checked with an older, our own and a newer compiler. */
async function declarations() {
  const compilers = {
    'TypeScript 5.9': join(root, 'test/typescript-5.9/node_modules/typescript/bin/tsc'),
    'TypeScript 6': tsc,
    'TypeScript 7': join(root, 'test/typescript-7/node_modules/typescript/bin/tsc'),
  }
  for (const [name, compiler] of Object.entries(compilers)) {
    await check(`declarations with ${name}`, [compiler, '-p', 'test/declarations'])
  }
}

async function lint() {
  await check('biome', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'])
}

/** What a package says of itself in package.json, compared with what it would publish. */
async function checkPackages() {
  for (const folder of packages) {
    await check(`publint ${folder}`, [bin('publint/src/cli.js'), folder, '--strict'])
    await check(`exported types of ${folder}`, [join(root, 'scripts/check-exported-types.mjs'), folder])
  }
}

/** What the packages weigh in an application, and how large and entangled core is: both against ceilings. */
async function weight() {
  await check('size', [join(root, 'benchmarks/size/size.mjs'), '--budgets'])
  await check('shape', [join(root, 'scripts/shape.mjs')])
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

/** A check is one test: it passes when its command ends with 0. Its output is shown when it fails. */
async function check(name, args) {
  const started = performance.now()
  const { code, output } = await run(args, { capture: true })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (code === 0) passed += 1
  else failures.push(name)
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (code !== 0) console.log(output)
}

async function runVitest(name, args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-test-'))
  const file = join(folder, 'result.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code } = await run([bin('vitest/vitest.mjs'), 'run', ...args, ...reporters], { env })
  const result = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  rmSync(folder, { recursive: true, force: true })
  count(name, result, code)
}

/** Counts tests; a file that failed to load or ran no test counts as one failure, and so does a run without any test. */
function count(name, result, code) {
  const before = { passed, failed: failures.length }
  for (const file of result?.testResults ?? []) countFile(file)
  if (passed === before.passed) failures.push(`${name}: no test passed`)
  else if (code !== 0 && failures.length === before.failed) failures.push(`${name}: ended with ${code}, see above`)
}

function countFile({ name, assertionResults }) {
  const file = name.replace(`${root}/`, '')
  const ran = assertionResults.filter(({ status }) => status === 'passed' || status === 'failed')
  if (ran.length === 0) failures.push(`${file}: no test ran`)
  for (const { status, fullName } of assertionResults) {
    if (status === 'passed') passed += 1
    else failures.push(`${file}: ${fullName}${status === 'failed' ? '' : ` (${status})`}`)
  }
}

function run(args, { capture = false, env = {} } = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1', ...env },
    stdio: ['ignore', capture ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'],
  })
  const chunks = []
  child.stdout?.on('data', (chunk) => chunks.push(chunk))
  child.stderr?.on('data', (chunk) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}
