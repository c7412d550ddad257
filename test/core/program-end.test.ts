import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HANGS } from '../hangs.js'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'roundtable-end-'))

/** The start of all programs: data without a server, so that nothing but core can keep the process alive. */
const BEGIN = `
import { Collection, Controller, Endpoint, Entity, LogoutManager, poll } from './core.mjs'
class Todo extends Entity {
  static key = 'Todo'
  id = ''
  title = ''
}
const answer = async ({ id }) => ({ id, title: 'Tea' })
const fail = async () => { throw new Error('refused') }
const getTodo = new Endpoint(answer, { name: 'getTodo', schema: Todo })
const getTodos = new Endpoint(async () => [{ id: '1', title: 'Tea' }], { name: 'getTodos', schema: new Collection([Todo]) })
const save = new Endpoint(answer, { name: 'save', schema: Todo, sideEffect: true, getOptimisticResponse: (_, body) => body })
const turn = () => new Promise((resolve) => setImmediate(resolve))
process.on('exit', (code) => console.log('ended with', code))
`

const programs: readonly (readonly [what: string, code: string])[] = [
  ['made a controller', 'new Controller({ managers: [new LogoutManager()] })'],
  [
    'fetched, subscribed and unsubscribed',
    `const controller = new Controller()
     await controller.fetch(getTodo, { id: '1' })
     const query = controller.watch(getTodos)
     const stop = query.subscribe(() => {})
     await query.load()
     stop()`,
  ],
  [
    'polled, and stopped',
    `const controller = new Controller()
     const ticker = getTodo.extend({ pollFrequency: 3_600_000 })
     const stops = [controller.observe(poll, ticker, { id: '1' }), controller.watch(ticker, { id: '2' })].map((read) => read.subscribe(() => {}))
     await turn()
     for (const stop of stops) stop()`,
  ],
  [
    'had a timeout that was not needed, a failure, and a mutation',
    `const controller = new Controller()
     await controller.fetch(getTodo.extend({ timeout: 3_600_000 }), { id: '1' })
     await controller.fetch(getTodo.extend({ fetch: fail, timeout: 3_600_000 }), { id: '2' }).catch(() => {})
     await controller.fetch(save.extend({ timeout: 3_600_000 }), { id: '1', title: 'Coffee' })`,
  ],
  [
    'called an endpoint with a timeout by itself',
    `await getTodo.extend({ timeout: 3_600_000 })({ id: '1' })
     await getTodo.extend({ fetch: fail, timeout: 3_600_000 })({ id: '1' }).catch(() => {})`,
  ],
  [
    'waited for a read that it never subscribed to, also for one that fails',
    `const controller = new Controller()
     await controller.watch(getTodo, { id: '1' }).load()
     await controller.watch(getTodo.extend({ fetch: fail, name: 'failing' }), { id: '1' }).load()`,
  ],
  [
    'read on, subscribed, and left the request to itself',
    `const controller = new Controller()
     const never = new Endpoint(() => new Promise(() => {}), { name: 'never' })
     const stop = controller.watch(never).subscribe(() => {})
     await turn()
     stop()`,
  ],
  [
    'wrote, expired and reset',
    `const controller = new Controller({ retention: { after: 3_600_000 }, dataExpiryLength: 3_600_000 })
     controller.set(Todo, { id: '1' }, { id: '1', title: 'Tea' })
     controller.expireAll(getTodo)
     controller.resetEntireStore()
     await controller.fetch(getTodos)`,
  ],
]

beforeAll(async () => {
  await build({
    entryPoints: [join(root, 'core/src/index.ts')],
    outfile: join(folder, 'core.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
  })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a program ends by itself that', () => {
  test.each(programs)('%s', async (what, code) => {
    expect(await run(what, code)).toBe('ended with 0\n')
  })
})

test('a program with a mounted poll goes on', async () => {
  const output = await run(
    'goes on',
    `const controller = new Controller()
     let asked = 0
     const ticker = new Endpoint(async () => ++asked, { name: 'ticker', pollFrequency: 5 })
     controller.observe(poll, ticker).subscribe(() => {})
     controller.watch(ticker).subscribe(() => { if (asked === 3) { console.log('asked three times'); process.exit() } })`,
  )
  expect(output).toBe('asked three times\nended with 0\n')
})

/** Runs a program; what it prints. */
async function run(name: string, code: string): Promise<string> {
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.mjs`)
  writeFileSync(file, BEGIN + code)
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'], timeout: HANGS })
  const output: string[] = []
  child.stdout.on('data', (chunk) => output.push(String(chunk)))
  const [status, signal] = await once(child, 'close')
  if (signal !== null) return `still ran after ${HANGS / 1000} s`
  return status === 0 ? output.join('') : `${output.join('')}failed with ${status}`
}
