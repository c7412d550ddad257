import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Config } from '../../examples/board/server/config.js'
import { lockFolder } from '../../examples/board/server/lock.js'
import { startServer } from '../../examples/board/server/start.js'
import { type Row, temporaryFolder } from './board.js'

const { folder, remove } = temporaryFolder()
const seeded = join(folder, 'seeded')
const running: ChildProcess[] = []

const config = (dataDir: string, port = 0): Config => ({
  port,
  host: undefined,
  dataDir,
  databaseUrl: undefined,
  taskCount: 2_240,
  root: folder,
  isDevelopment: false,
})
const copyOfSeeded = (name: string): string => {
  cpSync(seeded, join(folder, name), { recursive: true })
  return join(folder, name)
}
const json = async <Body = Row>(url: string, init?: RequestInit): Promise<Body> => {
  const answer = await fetch(url, { headers: { 'content-type': 'application/json' }, ...init })
  expect(answer.ok).toBe(true)
  return (await answer.json()) as Body
}
const post = (url: string, body: Row) => json(url, { method: 'POST', body: JSON.stringify(body) })

const firstLines: string[] = []

// A folder that somebody emptied in part: what is left is no database.
beforeAll(async () => {
  mkdirSync(join(seeded, 'pg/base'), { recursive: true })
  writeFileSync(join(seeded, 'pg/base/1'), 'left over')
  await (await startServer(config(seeded), (line) => firstLines.push(line))).stop()
})

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

afterAll(remove)

test('written data is there after a restart, and nothing is seeded twice', async () => {
  const dataDir = copyOfSeeded('restarted')
  const first = await startServer(config(dataDir), () => {})
  const task = await post(`${first.url}/api/tasks`, { projectId: 1, title: 'Survives' })
  await first.stop()
  expect(existsSync(join(dataDir, 'lock.json'))).toBe(false)
  const second = await startServer(config(dataDir), () => {})
  expect(await json(`${second.url}/api/tasks/${task.id}`)).toEqual(task)
  expect(await json<Row[]>(`${second.url}/api/tasks?limit=5000`)).toHaveLength(2241)
  await second.stop()
})

test('a second start on the same folder is refused, and names the first', async () => {
  const dataDir = copyOfSeeded('shared')
  const first = await startServer(config(dataDir), () => {})
  const second = startServer(config(dataDir), () => {})
  await expect(second).rejects.toThrow(`is in use by process ${process.pid}, which answers at ${first.url}. Stop`)
  expect(await json<Row[]>(`${first.url}/api/projects`)).toHaveLength(4)
  await first.stop()
})

test.each([
  ['of a process that has ended', async () => JSON.stringify({ token: 'a', pid: await endedPid(), started: '1' })],
  ['whose pid another process got since', async () => JSON.stringify({ token: 'a', pid: process.ppid, started: '1' })],
  ['that was never finished', async () => ''],
])('a lock %s is taken over', async (_, content) => {
  const dataDir = join(folder, 'stale')
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'lock.json'), await content())
  const lock = await lockFolder(dataDir)
  expect(JSON.parse(readFileSync(join(dataDir, 'lock.json'), 'utf8'))).toMatchObject({ pid: process.pid })
  lock.release()
  expect(existsSync(join(dataDir, 'lock.json'))).toBe(false)
})

test('when many find a dead lock at once, one gets the folder', async () => {
  const dataDir = join(folder, 'raced')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'lock.json'), JSON.stringify({ token: 'a', pid: await endedPid(), started: '1' }))
  const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(dataDir)))
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a busy port leads to the next free one, with a line that reports it', async () => {
  const other = createServer().listen(0, '::1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const lines: string[] = []
  const server = await startServer(config(copyOfSeeded('elsewhere'), port), (line) => lines.push(line))
  expect(server.url).not.toBe(`http://localhost:${port}`)
  expect(lines).toEqual([`Port ${port} is busy, so the board is on port ${new URL(server.url).port}.`])
  await server.stop()
  other.close()
})

test('files that are no database are set aside with a message, and none is deleted', () => {
  expect(keptFiles(seeded, 'base/1', firstLines)).toBe('left over')
})

test('a damaged database is set aside with a message, and none of its files is deleted', async () => {
  const dataDir = copyOfSeeded('damaged')
  rmSync(join(dataDir, asideIn(dataDir)), { recursive: true })
  writeFileSync(join(dataDir, 'pg/global/pg_control'), 'garbage')
  const lines: string[] = []
  const server = await startServer(config(dataDir), (line) => lines.push(line))
  expect(await json<Row[]>(`${server.url}/api/projects`)).toHaveLength(4)
  await server.stop()
  expect(keptFiles(dataDir, 'global/pg_control', lines)).toBe('garbage')
})

test('killed in the middle of writing, twice, the server has lost nothing that it acknowledged', async () => {
  const dataDir = copyOfSeeded('killed')
  const acknowledged: Row[] = []
  for (let round = 0; round < 2; round++) {
    const { child, url } = await startProcess(dataDir)
    const writers = Array.from({ length: 4 }, () => writeUntilDead(url, acknowledged))
    await expect.poll(() => acknowledged.length).toBeGreaterThan(round * 40 + 40)
    child.kill('SIGKILL')
    await Promise.all([once(child, 'exit'), ...writers])
  }
  const server = await startServer(config(dataDir), () => {})
  const tasks = await json<Row[]>(`${server.url}/api/tasks?limit=5000`)
  await server.stop()
  const found = new Map(tasks.map((task) => [task.id, task]))
  expect(acknowledged.filter((task) => found.get(task.id)?.title !== task.title)).toEqual([])
})

test('killed between applying a change and answering it, the server makes it once for the same key', async () => {
  const dataDir = copyOfSeeded('killed before the answer')
  const create = (url: string, query = '') =>
    fetch(`${url}/api/tasks${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': '7a6cb6b0' },
      body: JSON.stringify({ projectId: 1, title: 'Applied, never answered' }),
    })
  const applied = (url: string) => json<Row[]>(`${url}/api/tasks?q=never+answered`)
  const { child, url } = await startProcess(dataDir)
  const unanswered = expect(create(url, '?late=10000')).rejects.toThrow('fetch failed')
  await expect.poll(() => applied(url)).toHaveLength(1)
  const [task] = await applied(url)
  child.kill('SIGKILL')
  await Promise.all([once(child, 'exit'), unanswered])

  const server = await startServer(config(dataDir), () => {})
  const answer = await create(server.url)
  expect([answer.status, answer.headers.get('location')]).toEqual([201, `/api/tasks/${task?.id}`])
  expect(await answer.json()).toEqual(task)
  expect(await applied(server.url)).toEqual([task])
  await server.stop()
})

test('a request whose client leaves during the delay changes nothing', async () => {
  const server = await startServer(config(copyOfSeeded('left')), () => {})
  const client = new AbortController()
  const slow = json(`${server.url}/api/tasks/1?delay=10000`, { method: 'DELETE', signal: client.signal })
  const refused = expect(slow).rejects.toThrow('aborted')
  // What is asked for next is answered once the server has begun with the first.
  await json(`${server.url}/api/tasks/2`)
  client.abort()
  await refused
  // The same delay, begun later, ends later.
  expect((await json(`${server.url}/api/tasks/1?delay=10000`)).id).toBe(1)
  await server.stop()
})

test('SIGTERM lets a running request end, frees the folder and exits with 0', async () => {
  const dataDir = copyOfSeeded('stopped')
  const { child, url } = await startProcess(dataDir)
  const slow = request(`${url}/api/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', expect: '100-continue' },
  })
  slow.flushHeaders()
  // The server has begun with the request: it reads the body.
  await once(slow, 'continue')
  child.kill('SIGTERM')
  slow.end(JSON.stringify({ projectId: 1, title: 'Slow' }))
  const [answer] = (await once(slow, 'response')) as [IncomingMessage]
  expect(JSON.parse((await answer.toArray()).join(''))).toMatchObject({ title: 'Slow' })
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(existsSync(join(dataDir, 'lock.json'))).toBe(false)
})

test.each([
  ['PORT', 'many', 'must be a number from 0 to 65535'],
  ['TASKS', '99', 'must be a number from 100 to 200000'],
])('a wrong %s is explained in one line', async (name, value, rule) => {
  const child = spawnServer({ [name]: value })
  const { value: told } = await createInterface({ input: child.stderr ?? process.stdin })
    [Symbol.asyncIterator]()
    .next()
  expect(told).toBe(`The board cannot start. ${name} ${rule}, not "${value}".`)
  expect(await once(child, 'exit')).toEqual([1, null])
})

function keptFiles(dataDir: string, file: string, lines: string[]): string {
  const aside = join(dataDir, asideIn(dataDir))
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain(`The database in ${join(dataDir, 'pg')} does not open (`)
  expect(lines[1]).toBe(`Its files are kept as ${aside}; the board starts with new data.`)
  return readFileSync(join(aside, file), 'utf8')
}

function asideIn(dataDir: string): string {
  return readdirSync(dataDir).find((name) => name.startsWith('pg-damaged-')) ?? ''
}

async function writeUntilDead(url: string, acknowledged: Row[]): Promise<void> {
  for (;;) {
    const title = `Written ${Math.round(performance.now() * 1000)}`
    const body = JSON.stringify({ projectId: 1, title })
    const headers = { 'content-type': 'application/json' }
    const task = await fetch(`${url}/api/tasks`, { method: 'POST', headers, body })
      .then((answer) => answer.json() as Promise<Row>)
      .catch(() => undefined)
    if (task === undefined) return
    acknowledged.push(task)
  }
}

async function startProcess(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawnServer({ PORT: '0', DATA_DIR: dataDir })
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    if (line.startsWith('http://')) return { child, url: line }
  }
  throw new Error('The server ended before it answered.')
}

function spawnServer(env: Record<string, string>): ChildProcess {
  const main = fileURLToPath(new URL('../../examples/board/server/main.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', main], {
    env: { ...process.env, DATABASE_URL: '', HOST: '', ...env },
    stdio: 'pipe',
  })
  running.push(child)
  return child
}

async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}
