// Runs every command of package.json that checks something, each in a process of its own, and ends with what has failed
// in any of them and the sum of their last lines: a reader of only the end of the output sees the reason.
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The first installs and builds for the others, which then run two at a time, since those with browsers and
 * installations mostly wait.
 */
const first = ['test']
const lanes = [
  ['test:long', 'test:docs'],
  ['test:acceptance', 'test:packages', 'test:ssr'],
]
const cwd = dirname(dirname(fileURLToPath(import.meta.url)))
const failures = []
let passed = 0
let failed = 0

for (const name of first) await run(name)
await Promise.all(
  lanes.map(async (names) => {
    for (const name of names) await run(name, { ROUNDTABLE_BUILT: '1' })
  }),
)
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}\n`)
process.exitCode = failed > 0 ? 1 : 0
console.log(`${passed} passed, ${failed} failed`)

/** Runs a command, shows its output when it is over, and counts its last line. */
async function run(name, variables = {}) {
  const started = performance.now()
  const { code, output, shown } = await npm(name, variables)
  const minutes = ((performance.now() - started) / 60_000).toFixed(1)
  console.log(`\n━━━━━━ npm run ${name} (${minutes} min)\n${shown}`)
  const line = /^(\d+) passed, (\d+) failed$/.exec(output.trimEnd().split('\n').at(-1) ?? '')
  passed += Number(line?.[1] ?? 0)
  const counted = Number(line?.[2] ?? 0)
  failures.push(...(/\nFailed:\n([\s\S]*?)\n\n\d+ passed/.exec(output)?.[1].split('\n') ?? []))
  // A command that ends badly, or without its last line, has failed whatever it counted.
  failed += counted === 0 && (code !== 0 || !line) ? 1 : counted
}

function npm(name, variables) {
  const env = { ...process.env, ...variables }
  const child = spawn('npm', ['run', name], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    shown += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    shown += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output, shown }))
  })
}
