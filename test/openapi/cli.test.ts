import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'roundtable-openapi-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command in the root of the repository, with the package's sources. */
async function run(
  ...args: string[]
): Promise<{ readonly code: unknown; readonly out: string; readonly error: string }> {
  const program = ['--import', 'tsx', '--conditions=@roundtable/source', 'openapi/bin/roundtable-openapi.mjs']
  const child = spawn(process.execPath, [...program, ...args], { cwd: root })
  const said = { out: '', error: '' }
  child.stdout.on('data', (text) => {
    said.out += text
  })
  child.stderr.on('data', (text) => {
    said.error += text
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, ...said }
}

const tasks = 'test/openapi/fixtures/tasks.json'

test('it writes, says what it has written and what stayed plain, and fails for that only with --strict', async () => {
  const { code, out, error } = await run(tasks, folder, '--strict')
  expect([code, error]).toEqual([
    1,
    `${tasks}#/paths/~1items~1{item-id}/get/parameters: needs the header 'x-token': send it by the transport of the controller, or by getHeaders\n`,
  ])
  const files = `${folder}/types.gen.ts and ${folder}/roundtable.gen.ts`
  expect(out).toBe(`14 operations and 2 kinds of rows are in ${files}.\n1 place is named above.\n`)
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
  [[], 'Name a description and a folder: npx roundtable-openapi openapi.json src/api'],
  [['a', 'b', '--pk', 'Task'], "--pk takes NAME=VALUE, found 'Task'."],
  [['a', 'b', '--stric'], "Unknown option '--stric'"],
])('a mistake is one line, and ends it with 1: %j', async (args, message) => {
  const { code, error } = await run(...args)
  expect([code, error]).toEqual([1, expect.stringContaining(message)])
  expect(error.trim().split('\n')).toHaveLength(1)
})
