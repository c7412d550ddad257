// The parts that every list of checks is made of: sections that are run by name, commands and Vitest runs that are
// counted, and a last line `N passed, N failed`.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** A program of an installed package: bin('typescript/bin/tsc'). */
export const bin = (path) => join(root, 'node_modules', ...path.split('/'))
/** The native compiler, which takes a fifth of the time and emits the same declarations. */
export const tsc = join(root, 'test/typescript-7/node_modules/typescript/bin/tsc')

/**
 * Arguments of Node that build the packages and the board. Where .ci/run has built them they do nothing: a build puts
 * files in their place again, which other commands are reading at the same time.
 */
export const turboBuild = (...options) =>
  process.env.ROUNDTABLE_BUILT ? ['--eval', ''] : [bin('turbo/bin/turbo'), 'run', 'build', ...options]

const failures = []
let passed = 0

/**
 * Runs the sections that the command line names, or all of them in order, and reports. Each step of `plan` is a list of
 * lanes that run at once, and each lane a list of sections; `summary` is called before the last line.
 */
export async function runSections(sections, { plan, summary } = {}) {
  const names = process.argv.slice(2)
  const unknown = names.filter((name) => !Object.hasOwn(sections, name))
  if (unknown.length > 0) {
    console.error(`No such check: ${unknown.join(', ')}. There are: ${Object.keys(sections).join(', ')}.`)
    process.exit(1)
  }
  const inOrder = (names.length > 0 ? names : Object.keys(sections)).map((name) => [[name]])
  for (const lanes of names.length === 0 && plan ? plan : inOrder) {
    console.log(`\n━━━ ${lanes.flat().join(', ')}`)
    await Promise.all(
      lanes.map(async (lane) => {
        for (const name of lane) await sections[name]()
      }),
    )
  }
  summary?.()
  report()
}

function report() {
  if (passed + failures.length === 0) failures.push('no check ran')
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`)
  process.exitCode = failures.length > 0 ? 1 : 0
  console.log(`\n${passed} passed, ${failures.length} failed`)
}

/** A check is one test: it passes when its command ends with 0. Its output is shown when it fails. */
export async function check(name, args, options = {}) {
  const started = performance.now()
  const { code, output } = await run(args, { ...options, capture: true })
  if (code === 0) passed += 1
  else failures.push(name)
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds(started)} s)`)
  if (code !== 0) console.log(output)
}

function seconds(started) {
  return ((performance.now() - started) / 1000).toFixed(1)
}

/** Checks, two at a time: compilers use one core each. @param checks - name, program with arguments and options of each */
export async function checkAll(checks) {
  const waiting = [...checks]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await check(...next)
  }
  await Promise.all([work(), work()])
}

/**
 * Runs Vitest and counts its tests one by one. With `capture` its output is shown only if a test failed: something else
 * runs meanwhile.
 * @returns what its JSON reporter has written
 */
export async function runVitest(name, args, { env = {}, capture = false } = {}) {
  const started = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-test-'))
  const file = join(folder, 'result.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code, output } = await run([bin('vitest/vitest.mjs'), 'run', ...args, ...reporters], { env, capture })
  const result = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  rmSync(folder, { recursive: true, force: true })
  count(name, result, code)
  const tests = `${result?.numPassedTests ?? 0} of ${result?.numTotalTests ?? 0} tests`
  if (capture) console.log(`${code === 0 ? '✓' : '✗'} ${name}: ${tests} (${seconds(started)} s)`)
  if (capture && code !== 0) console.log(output)
  return result
}

/** Counts tests; a file that failed to load or ran no test counts as one failure, and so does a run without any test. */
function count(name, result, code) {
  const before = failures.length
  for (const file of result?.testResults ?? []) countFile(file)
  if (!result?.numPassedTests) failures.push(`${name}: no test passed`)
  else if (code !== 0 && failures.length === before) failures.push(`${name}: ended with ${code}, see above`)
}

function countFile({ name, assertionResults }) {
  const file = name.replace(`${root}/`, '')
  const ran = assertionResults.filter(({ status }) => status === 'passed' || status === 'failed')
  if (ran.length === 0) failures.push(`${file}: no test ran`)
  for (const { status, fullName, failureMessages } of assertionResults) {
    const why = status === 'failed' ? `\n    ${firstLines(failureMessages)}` : ` (${status})`
    if (status === 'passed') passed += 1
    else failures.push(`${file}: ${fullName}${why}`)
  }
}

/** The beginning of an error: its message, and where it was thrown. */
function firstLines(messages = []) {
  return messages.join('\n').split('\n').slice(0, 4).join('\n    ')
}

/** svelte-check of a folder, with a configuration in it. */
export function svelteCheck(folder, tsconfig = 'tsconfig.json') {
  const where = ['--workspace', join(root, folder), '--tsconfig', join(root, folder, tsconfig)]
  return [`svelte-check ${folder}`, [bin('svelte-check/bin/svelte-check'), ...where, '--fail-on-warnings']]
}

/** Runs a program of Node; `env` is added to the environment. */
export function run(args, { capture = false, cwd = root, env = {} } = {}) {
  const child = spawn(process.execPath, args, {
    cwd,
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
