// Runs every command of package.json that checks something, each in a process of its own, and ends with what has failed in any of
// them and the sum of their last lines: whoever sees only the end of the output sees the reason.
// `npm test` comes first, since it installs what the others need.
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const commands = [
  ['test'],
  ['run', 'test:long'],
  ['run', 'test:acceptance'],
  ['run', 'test:packages'],
  ['run', 'test:ssr'],
  ['run', 'test:docs'],
]
const cwd = dirname(dirname(fileURLToPath(import.meta.url)))
const failures = []
let passed = 0
let failed = 0

for (const command of commands) {
  const { code, output } = await npm(command)
  const line = /^(\d+) passed, (\d+) failed$/.exec(output.trimEnd().split('\n').at(-1) ?? '')
  passed += Number(line?.[1] ?? 0)
  const counted = Number(line?.[2] ?? 0)
  failures.push(...(/\nFailed:\n([\s\S]*?)\n\n\d+ passed/.exec(output)?.[1].split('\n') ?? []))
  // A command that ends badly, or without its last line, has failed whatever it counted.
  failed += counted === 0 && (code !== 0 || !line) ? 1 : counted
}
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}\n`)
process.exitCode = failed > 0 ? 1 : 0
console.log(`${passed} passed, ${failed} failed`)

function npm(args) {
  const child = spawn('npm', args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output = (output + text).slice(-10_000)
    process.stdout.write(text)
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
