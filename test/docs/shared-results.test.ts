import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { HANGS } from '../hangs.js'
import { RedisServer } from './shared-results/redis-server.js'
import type { Task } from './shared-results/worker.js'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'roundtable-shared-'))
const snippets = join(root, 'docs/snippets/shared-results')

/** An API with products for all, and a cart for each session. */
class Api {
  /** Each request: its path, and its cookie if it has one. */
  readonly asked: string[] = []
  headers: Readonly<Record<string, string>> = {}
  isHolding = false
  #held: ServerResponse[] = []
  readonly #server = createServer(({ url = '', headers: { cookie } }, response) => {
    this.asked.push(cookie === undefined ? url : `${url} ${cookie}`)
    if (url === '/cart') this.#answer(response, { count: `cart of ${cookie}` })
    else if (this.isHolding) this.#held.push(response)
    else this.#answer(response, [{ id: '1', name: 'Lamp' }], this.headers)
  })

  products(): readonly string[] {
    return this.asked.filter((line) => line.startsWith('/products'))
  }

  #answer(response: ServerResponse, body: unknown, headers = {}): void {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    for (const response of this.#held) response.destroy()
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

let api: Api
let redis: RedisServer
let env: Record<string, string>
const processes: ChildProcess[] = []
let count = 0

beforeAll(async () => {
  for (const store of ['files', 'redis']) {
    await build({
      entryPoints: [join(import.meta.dirname, 'shared-results/worker.ts')],
      outfile: join(folder, `${store}.mjs`),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      conditions: ['@roundtable/source'],
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
      plugins: [
        {
          name: 'store',
          setup: ({ onResolve }) =>
            onResolve({ filter: /\/files\.js$/ }, () => ({ path: join(snippets, `${store}.ts`) })),
        },
      ],
      logLevel: 'warning',
    })
  }
})
beforeEach(async () => {
  api = new Api()
  redis = new RedisServer()
  count += 1
  const own = join(folder, `shared-${count}`)
  mkdirSync(own)
  env = { API: await api.listen(), REDIS_URL: await redis.listen(), SHARED_FOLDER: own }
})
afterEach(() => {
  for (const one of processes.splice(0)) one.kill('SIGKILL')
  api.close()
  redis.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts a process of the server. */
async function start(store: string): Promise<ChildProcess> {
  const child = fork(join(folder, `${store}.mjs`), { env: { ...process.env, ...env } })
  processes.push(child)
  await once(child, 'message')
  return child
}

function tell(child: ChildProcess, task: Task): void {
  child.send(task)
}

async function pagesOf(child: ChildProcess, render: number): Promise<readonly string[]> {
  tell(child, { render })
  return answerOf(child)
}

async function answerOf(child: ChildProcess): Promise<readonly string[]> {
  const [answer] = (await once(child, 'message')) as [readonly string[]]
  return answer
}

/** All that is shared. */
function sharedTexts(): string {
  const files = readdirSync(env.SHARED_FOLDER as string, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  )
  return [
    ...files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')),
    ...[...redis.keys.values()].map(({ value }) => value),
  ].join('\n')
}

/** So much time passes for all. */
function pass(ms: number): void {
  redis.passed += ms
  for (const child of processes) if (child.connected) tell(child, { passed: ms })
}

describe.each(['files', 'redis'])('results that processes share by %s', (store) => {
  test('are fetched once for a hundred requests in each of two processes, and once more after their lifetime', async () => {
    const children = [await start(store), await start(store)]
    const pages = await Promise.all(children.map((child) => pagesOf(child, 100)))
    expect(api.products()).toEqual(['/products'])
    for (const page of pages.flat()) expect(page).toContain('<li>Lamp</li>')
    expect(pages[1]?.[7]).toContain('cart of session=7 in your cart')
    pass(61_000)
    await Promise.all(children.map((child) => pagesOf(child, 100)))
    expect(api.products()).toEqual(['/products', '/products'])
  })

  test('have nothing of a user', async () => {
    const child = await start(store)
    const [page] = await pagesOf(child, 1)
    expect(page).toContain('cart of session=0')
    expect(sharedTexts()).toContain('Lamp')
    expect(sharedTexts()).not.toMatch(/cart|session/)
  })

  test('are fetched by another process when the one that fetches them is killed', async () => {
    api.isHolding = true
    const [first, second] = [await start(store), await start(store)]
    tell(first, { render: 100 })
    await vi.waitUntil(() => api.products().length === 1, HANGS)
    first.kill('SIGKILL')
    await once(first, 'exit')
    const pages = pagesOf(second, 100)
    api.isHolding = false
    pass(11_000)
    expect((await pages)[99]).toContain('<li>Lamp</li>')
    expect(api.products()).toEqual(['/products', '/products'])
  })

  test('are never those of a request with a cookie: it is refused before it is sent', async () => {
    const child = await start(store)
    tell(child, { isPersonal: true })
    expect(String(await answerOf(child))).toContain("is a user's: it cannot be shared")
    expect(api.asked).toEqual([])
    expect(sharedTexts()).not.toMatch(/cart|session/)
  })

  test.each([
    { 'cache-control': 'private, max-age=60' },
    { 'cache-control': 'no-store' },
    { 'set-cookie': 'seen=1' },
    { vary: 'Accept-Encoding, Cookie' },
  ])('are never those of a response with %o: each request fetches them for itself', async (headers) => {
    api.headers = headers
    const child = await start(store)
    const pages = await pagesOf(child, 5)
    for (const page of pages) expect(page).toContain('<li>Lamp</li>')
    expect(api.products().length).toBe(1 + 5)
    expect(sharedTexts()).not.toContain('Lamp')
  })
})
