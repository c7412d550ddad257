import { appendFile, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { indexedDbLog, memoryLog, type OfflineLog } from '@roundtable/core/offline'
import { fileLog } from '@roundtable/core/offline/file'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { Database } from 'node-sqlite3-wasm'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Connection, sqliteLog } from '../../../docs/snippets/offline/sqlite-log.js'
import { openApp, rest, Task, TaskResource, TaskServer } from './todo-server.js'

const folder = await mkdtemp(join(tmpdir(), 'roundtable-log-'))
let path = ''
let count = 0

beforeEach(() => {
  count += 1
  path = join(folder, `${count}.log`)
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
})
afterEach(() => {
  for (const database of databases.splice(0)) database.close()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
afterAll(() => rm(folder, { recursive: true }))

const textsOf = async (log: OfflineLog, after = 0) => (await log.read(after)).map(({ text }) => text)

const memory = memoryLog()

const databases: Database[] = []

/** A connection to a file of its own, as drivers that answer at once have it, and as those that answer later. */
function connect(file = path): Connection {
  const database = new Database(file)
  databases.push(database)
  return {
    run: (sql, values) => database.run(sql, values),
    all: (sql, values) => database.all(sql, values),
  }
}

function connectLater(): Connection {
  const { run, all } = connect()
  const later = () => new Promise((resolve) => setImmediate(resolve))
  return {
    run: (...args) => later().then(() => run(...args)),
    all: (...args) => later().then(() => all(...args)),
  }
}

/** Each opens the same log again, as the next start of the application does. */
const logs: readonly (readonly [name: string, open: () => OfflineLog])[] = [
  ['memory', () => memory],
  ['IndexedDB', () => indexedDbLog('test')],
  ['a file', () => fileLog(path)],
  ['SQLite', () => sqliteLog(connect())],
  ['SQLite with a driver of promises', () => sqliteLog(connectLater())],
]

describe.each(logs)('a log in %s', (_, open) => {
  beforeEach(() => memory.clear())

  test('is empty at first', async () => {
    expect(await textsOf(open())).toEqual([])
  })

  test('returns at the next start what was appended, in its order', async () => {
    const log = open()
    const numbers = [await log.append({ text: 'a' }, true), await log.append({ text: 'b' }, false)]
    await log.append({ text: 'ä – 文' }, true)
    const records = await open().read(0)
    expect(records.map(({ text }) => text)).toEqual(['a', 'b', 'ä – 文'])
    expect(records.slice(0, 2).map(({ number }) => number)).toEqual(numbers)
  })

  test('numbers records in the order of the calls, also of those that wait for each other', async () => {
    const log = open()
    const numbers = await Promise.all(['a', 'b', 'c'].map((text) => log.append({ text }, true)))
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    expect(new Set(numbers).size).toBe(3)
    expect(await textsOf(log)).toEqual(['a', 'b', 'c'])
  })

  test('returns what comes after a number', async () => {
    const log = open()
    await log.append({ text: 'a' }, false)
    const second = await log.append({ text: 'b' }, false)
    await log.append({ text: 'c' }, false)
    expect(await textsOf(log, second)).toEqual(['c'])
  })

  test('is rewritten in one step: the new record has the last number, and who has read that reads on from there', async () => {
    const log = open()
    await log.append({ text: 'a' }, false)
    const last = await log.append({ text: 'b' }, false)
    const merging = log.rewrite((records) => ({ text: records.map(({ text }) => text).join('+') }))
    const appending = log.append({ text: 'c' }, false)
    await Promise.all([merging, appending])
    expect(await textsOf(open())).toEqual(['a+b', 'c'])
    expect(await textsOf(log, last)).toEqual(['c'])
    expect(await appending).toBeGreaterThan(last)
  })

  test('stays as it is if nothing is to be merged, or if that throws', async () => {
    const log = open()
    await log.append({ text: 'a' }, false)
    await log.rewrite(() => undefined)
    const broken = new Error('broken')
    await expect(
      log.rewrite(() => {
        throw broken
      }),
    ).rejects.toBeDefined()
    await log.append({ text: 'b' }, false)
    expect(await textsOf(open())).toEqual(['a', 'b'])
  })

  test('is empty after clear, and what comes then has greater numbers', async () => {
    const log = open()
    const before = await log.append({ text: 'a' }, true)
    await log.clear()
    expect(await textsOf(open())).toEqual([])
    expect(await log.append({ text: 'b' }, true)).toBeGreaterThan(before)
    expect(await textsOf(open())).toEqual(['b'])
  })
})

describe('a log in IndexedDB', () => {
  test('keeps files beside the text', async () => {
    const files = [new Blob(['hello'], { type: 'text/plain' })]
    await indexedDbLog('test').append({ text: 'a', files }, true)
    const [record] = await indexedDbLog('test').read(0)
    expect(await record?.files?.[0]?.text()).toBe('hello')
  })

  test('of another name is another log', async () => {
    await indexedDbLog('one').append({ text: 'a' }, true)
    expect(await textsOf(indexedDbLog('two'))).toEqual([])
  })

  test('rejects while the browser refuses it, and works once it does not', async () => {
    const log = indexedDbLog('test')
    const real = indexedDB
    vi.stubGlobal('indexedDB', {
      open() {
        throw new DOMException('refused', 'SecurityError')
      },
    })
    await expect(log.append({ text: 'a' }, true)).rejects.toThrow('refused')
    vi.stubGlobal('indexedDB', real)
    await log.append({ text: 'b' }, true)
    expect(await textsOf(log)).toEqual(['b'])
  })

  test('whose database is deleted by another tab opens it anew', async () => {
    const log = indexedDbLog('test')
    await log.append({ text: 'a' }, true)
    await new Promise((resolve) => {
      indexedDB.deleteDatabase('test').onsuccess = resolve
    })
    await log.append({ text: 'b' }, true)
    expect(await textsOf(log)).toEqual(['b'])
  })

  /** Notes the connections that are opened from now on; returns how many were, and how many of them are not closed. */
  function noteConnections(): () => readonly [opened: number, open: number] {
    const connections: IDBDatabase[] = []
    const factory = indexedDB
    vi.stubGlobal('indexedDB', {
      open(name: string, version: number) {
        const request = factory.open(name, version)
        request.addEventListener('success', () => connections.push(request.result))
        return request
      },
    })
    const isOpen = (database: IDBDatabase): boolean => {
      try {
        database.transaction('records')
        return true
      } catch {
        return false
      }
    }
    return () => [connections.length, connections.filter(isOpen).length]
  }

  test('is closed when its controller has ended and the last record is written, and again after forget', async () => {
    const connections = noteConnections()
    const server = new TaskServer()
    server.add('Milk')
    const { controller, store } = await openApp(indexedDbLog('test'), server)
    await controller.fetch(TaskResource.getList)
    await store.flush()
    expect(connections()).toEqual([1, 1])
    controller.set(Task, { id: 1 }, { title: 'Oat milk' })
    controller.dispose()
    await store.flush()
    expect(connections()).toEqual([1, 0])
    const next = await openApp(indexedDbLog('test'), server)
    expect(next.controller.get(Task, { id: 1 })?.title).toBe('Oat milk')
    next.controller.dispose()
    await next.store.flush()
    const [opened, open] = connections()
    expect([opened, open]).toEqual([2, 0])
    await store.forget()
    expect(await textsOf(indexedDbLog('test'))).toEqual([])
    expect(connections()[0]).toBeGreaterThan(opened)
    expect(connections()[1]).toBe(0)
  })

  test('stays open while one of its controllers goes on', async () => {
    const connections = noteConnections()
    const server = new TaskServer()
    server.add('Milk')
    const log = indexedDbLog('test')
    const first = await openApp(log, server)
    const next = await openApp(log, server)
    first.controller.dispose()
    await first.store.flush()
    await next.controller.fetch(TaskResource.getList)
    await next.store.flush()
    expect(connections()).toEqual([1, 1])
    next.controller.dispose()
    await next.store.flush()
    expect(connections()).toEqual([1, 0])
  })

  test('is closed after calls at the same time that nobody has joined for', async () => {
    const connections = noteConnections()
    const log = indexedDbLog('test')
    await Promise.all(['a', 'b', 'c'].map((text) => log.append({ text }, false)))
    expect(await textsOf(log)).toEqual(['a', 'b', 'c'])
    expect(connections()[1]).toBe(0)
  })

  test('returns what somebody else has written there as a text that says nothing', async () => {
    const log = indexedDbLog('test')
    await log.append({ text: 'a' }, true)
    await new Promise((resolve) => {
      indexedDB.open('test').onsuccess = ({ target }) => {
        const { result } = target as IDBOpenDBRequest
        const transaction = result.transaction('records', 'readwrite')
        transaction.objectStore('records').add(17)
        transaction.oncomplete = resolve
      }
    })
    expect(await textsOf(log)).toEqual(['a', 'undefined'])
  })
})

describe('a log in a file', () => {
  test('loses only a last line that was torn by a crash', async () => {
    await fileLog(path).append({ text: '"a"' }, true)
    await appendFile(path, '2 "b')
    const log = fileLog(path)
    expect(await textsOf(log)).toEqual(['"a"'])
    await log.append({ text: '"c"' }, true)
    expect(await textsOf(fileLog(path))).toEqual(['"a"', '"c"'])
  })

  test('returns a damaged line as it is, in its place', async () => {
    const log = fileLog(path)
    for (const text of ['"a"', '"b"', '"c"']) await log.append({ text }, true)
    await writeFile(path, (await readFile(path, 'utf8')).replace('2 "b"', '\0\0\0\0\0'))
    expect(await textsOf(fileLog(path))).toEqual(['"a"', '\0\0\0\0\0', '"c"'])
    expect(await textsOf(fileLog(path), 1)).toEqual(['"c"'])
  })

  test('on a full disk rejects, keeps what is there, and works once there is room', async () => {
    const log = fileLog(path)
    await log.append({ text: '"a"' }, true)
    const file = await open(path)
    const prototype = Object.getPrototypeOf(file) as typeof file
    await file.close()
    const full = vi.spyOn(prototype, 'appendFile').mockImplementationOnce(async function (this: typeof file) {
      // A part of it found room.
      await this.write('2 "b')
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    })
    await expect(log.append({ text: '"b"' }, true)).rejects.toThrow('no space left')
    expect(full).toHaveBeenCalledOnce()
    expect(await readFile(path, 'utf8')).toBe('1 "a"\n')
    expect(await log.append({ text: '"c"' }, true)).toBe(2)
    expect(await textsOf(fileLog(path))).toEqual(['"a"', '"c"'])
  })

  test('refuses files', async () => {
    await expect(fileLog(path).append({ text: 'a', files: [new Blob()] }, true)).rejects.toThrow('keeps no files')
  })

  test('whose folder is not there rejects', async () => {
    await expect(fileLog(join(folder, 'none', 'a.log')).append({ text: 'a' }, true)).rejects.toThrow('ENOENT')
  })
})

describe('the log in SQLite that the guide shows', () => {
  test('is left as it was by a rewrite that cannot be written', async () => {
    const { run, all } = connect()
    const full: Connection = {
      all,
      run(sql, values) {
        if (sql.startsWith('INSERT INTO log VALUES')) throw new Error('database or disk is full')
        return run(sql, values)
      },
    }
    const log = sqliteLog(full)
    await log.append({ text: 'a' }, true)
    await log.append({ text: 'b' }, true)
    const rewriting = log.rewrite(() => ({ text: 'a+b' }))
    const appending = log.append({ text: 'c' }, true)
    await expect(rewriting).rejects.toThrow('disk is full')
    await appending
    expect(await textsOf(sqliteLog(connect()))).toEqual(['a', 'b', 'c'])
  })

  test('refuses files', async () => {
    await expect(sqliteLog(connect()).append({ text: 'a', files: [new Blob()] }, true)).rejects.toThrow(
      'keeps no files',
    )
  })

  test('shows at the next start what was fetched and changed, and sends the change', async () => {
    const server = new TaskServer()
    server.add('Milk')
    const first = await openApp(sqliteLog(connectLater()), server)
    await first.controller.fetch(TaskResource.getList)
    server.isReachable = false
    first.call(first.controller.fetch(TaskResource.partialUpdate, { id: 1 }, { title: 'Oat milk' }))
    await rest()
    await first.store.flush()
    first.controller.dispose()

    server.isReachable = true
    const next = await openApp(sqliteLog(connectLater()), server)
    expect(next.controller.get(Task, { id: 1 })?.title).toBe('Oat milk')
    await rest()
    expect(server.applied).toEqual(['PATCH /tasks/1 {"title":"Oat milk"}'])
    expect(next.waiting()).toEqual([])
  })
})
