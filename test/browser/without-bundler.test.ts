import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChromium } from './chromium.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The built files as a plain static server would serve them. */
const core = join(root, 'core', 'dist')

const page = `<!doctype html><title>No bundler</title><link rel="icon" href="data:,"><ul></ul>
<script>globalThis.process = { env: { NODE_ENV: 'production' } }</script>
<script type="importmap">
  { "imports": { "@roundtable/core": "/core/index.js" } }
</script>
<script type="module">
  import { Controller, Entity, resource } from '@roundtable/core'

  class Todo extends Entity {
    static key = 'Todo'
    id = 0
    title = ''
  }
  const Todos = resource({ urlPrefix: location.origin, path: '/api/todos/:id', schema: Todo })
  const controller = new Controller()
  const list = document.querySelector('ul')
  controller.query(Todos.getList).subscribe(async () => {
    const todos = await controller.fetch(Todos.getList)
    list.textContent = todos.map((todo) => todo.title).join(', ')
  })
</script>`

let server: Server
let browser: Browser

beforeAll(async () => {
  server = createServer(async ({ url = '/' }, response) => {
    const [, folder = '', ...rest] = new URL(url, 'http://localhost').pathname.split('/')
    if (folder === '') return response.setHeader('content-type', 'text/html').end(page)
    if (folder === 'api') return response.setHeader('content-type', 'application/json').end('[{"id":1,"title":"Read"}]')
    const body = await readFile(join(core, ...rest)).catch(() => undefined)
    response.statusCode = body ? 200 : 404
    response.setHeader('content-type', 'text/javascript').end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

test('a page without a bundler loads the built package by an import map', async () => {
  const tab = await browser.newPage()
  const failures: string[] = []
  tab.on('pageerror', (error) => failures.push(error.message))
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await expect.poll(() => tab.textContent('ul'), { timeout: 20_000 }).toBe('Read')
  expect(failures).toEqual([])
})
