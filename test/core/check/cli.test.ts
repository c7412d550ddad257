import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { backend } from '@roundtable/core/backend'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TodoResource } from '../../../docs/snippets/check-server/api.js'

const root = join(import.meta.dirname, '../../..')
const api = backend({ TodoResource }, { seed: { Todo: [{ id: 1, userId: 1, title: 'Milk', done: false }] } })
let server: ReturnType<typeof serve>
let url = ''

beforeAll(async () => {
  const { port } = await new Promise<AddressInfo>((resolve) => {
    server = serve({ fetch: api.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false }, resolve)
  })
  url = `http://127.0.0.1:${port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

/** Runs the command on the sources. */
function run(...args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const node = ['--conditions=@roundtable/source', '--import', 'tsx', join(root, 'core/bin/roundtable-check.mjs')]
  const child = spawn(process.execPath, [...node, ...args], { cwd: root })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}

const definitions = 'docs/snippets/check-server/api.check.ts'

test('reads alone by default, and exits with 0', async () => {
  api.reset()
  const { code, output } = await run(definitions, '--url', url)
  expect(output).toMatch(/^TodoResource\n {2}ok {4}list-place\n/)
  expect(output).toMatch(/\n0 failed, 0 warned, 11 ok, 13 skipped\n$/)
  expect(code).toBe(0)
  expect(new Set(api.log.map(({ method }) => method))).toEqual(new Set(['GET']))
})

test('writes with --write, and leaves nothing', async () => {
  api.reset()
  const { code, output } = await run(definitions, '--url', url, '--write', '--only', 'TodoResource', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(output).TodoResource).toContainEqual({ rule: 'delete-twice', verdict: 'ok', detail: '' })
  expect(api.rows('Todo')).toHaveLength(1)
})

test('exits with 1 if a rule fails', async () => {
  const html = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'))
  await new Promise<void>((resolve) => html.listen(0, '127.0.0.1', resolve))
  const { port } = html.address() as AddressInfo
  const { code, output } = await run(definitions, '--url', `http://127.0.0.1:${port}`)
  html.close()
  expect(output).toContain(`fails list-place: GET http://127.0.0.1:${port}/todos (200, with HTML): Got HTML from `)
  expect(code).toBe(1)
})

test.each([
  [[], /^roundtable-check FILE/],
  [['src/none.ts'], /^There is no file src\/none\.ts\./],
  [
    ['docs/snippets/check-server/main.ts', '--only', 'TodoResource'],
    /exports no resource TodoResource\. There are: none\./,
  ],
  [[definitions, '--url', 'localhost'], /^--url must begin with http:\/\/ or https:\/\/, found 'localhost'\./],
  [[definitions, '--wirte'], /Unknown option '--wirte'/],
  [[definitions, '--write', '--read-only'], /exclude each other/],
] as const)('%j: nothing is checked, and it exits with 2', async (args, message) => {
  const { code, output } = await run(...args)
  expect(output).toMatch(message)
  expect(code).toBe(2)
})
