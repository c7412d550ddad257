import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { main } from '../../openapi/src/main.js'

const folder = mkdtempSync(join(tmpdir(), 'roundtable-openapi-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command, and collects what it says. */
async function run(
  ...args: string[]
): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const said = { out: '', error: '' }
  const collect = (stream: 'out' | 'error') => (text: string) => {
    said[stream] += `${text}\n`
  }
  vi.spyOn(console, 'log').mockImplementation(collect('out'))
  vi.spyOn(console, 'warn').mockImplementation(collect('error'))
  vi.spyOn(console, 'error').mockImplementation(collect('error'))
  try {
    const code = await main(args)
    return { code, ...said }
  } finally {
    vi.restoreAllMocks()
  }
}

const tasks = relative(process.cwd(), join(import.meta.dirname, 'fixtures/tasks.json'))

test('it writes, says what it has written and what stayed plain, and fails for that with --strict only', async () => {
  const { code, out, error } = await run(tasks, folder)
  expect([code, error]).toEqual([
    0,
    `${tasks}#/paths/~1items~1{item-id}/get/parameters: needs the header 'x-token': send it by the transport of the controller, or by getHeaders\n`,
  ])
  expect(out).toContain(`14 operations and 2 kinds of rows in ${folder}/types.gen.ts and ${folder}/roundtable.gen.ts\n`)
  expect((await run(tasks, folder, '--strict')).code).toBe(1)
})

test('its options are those of the function', async () => {
  const options = ['--same', 'Person=UserPublic,UserWithTasks', '--pk', 'TaskPublic=title', '--dates']
  expect((await run(tasks, folder, ...options, '--base-url', 'https://tasks.test/')).code).toBe(0)
  const text = readFileSync(join(folder, 'roundtable.gen.ts'), 'utf8')
  expect(text).toContain("static override key = 'Person'")
  expect(text).toContain('return this.title')
  expect(text).toContain('created_at: toDate')
  expect(text).toContain("const urlPrefix = 'https://tasks.test'\n")
})

test.each([
  [[], 'A description and a folder are needed: roundtable-openapi openapi.json src/api'],
  [['none.json', 'x'], 'none.json: there is no such file'],
  [['a', 'b', '--pk', 'Task'], "--pk takes name=value, found 'Task'"],
  [['a', 'b', '--stric'], "Unknown option '--stric'"],
  [[tasks, folder, '--same', 'Person=Usr'], "option same: there is no schema 'Usr' in the description"],
])('a mistake is one line, and ends it with 1: %j', async (args, message) => {
  const { code, error } = await run(...args)
  expect([code, error]).toEqual([1, expect.stringContaining(message)])
  expect(error.trim().split('\n')).toHaveLength(1)
})
