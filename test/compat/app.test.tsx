// One application of data-client, run by data-client 0.10 on React 18 (test/projects/data-client.ts), which is the
// newest whose packages the registry has together, and by ours (test/projects/compat.ts): the same screens after the
// same steps, the same requests.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { App } from './app/app.js'
import { session } from './app/resources.js'
import { Server } from './app/server.js'
import { isOurs } from './which.js'

let server: Server
let lines: string[]
let sent: string[]
const socket = { send: (text: string) => void sent.push(text), onmessage: (_: { data: string }) => {} }

beforeEach(() => {
  server = new Server()
  lines = []
  sent = []
  session.token = 'secret'
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  vi.stubGlobal('fetch', server.fetch)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Lets some time pass, in steps: React renders between them, as it does in a page. */
async function pass(ms = 600): Promise<void> {
  for (let at = 0; at < ms; at += 20) {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(20)
      // What waits for an idle page, in Node some turns of its loop.
      for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
      // With pages, ours imports the code that refreshes them.
      await vi.dynamicImportSettled()
    })
  }
}
const shown = (): string => document.body.textContent?.replaceAll(/(?:toggle|delete) \d+/g, '|') ?? ''
async function open(path: string): Promise<void> {
  render(<App lines={lines} socket={socket} path={path} />)
  await pass()
}
const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }))
const buttons = 'addmoreagainexpire the session'

describe('a list', () => {
  test('is loaded once, with the token, and shows its rows and theirs', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch')
    render(<App lines={lines} socket={socket} />)
    expect(shown()).toBe('Loading')
    await pass()
    expect(shown()).toBe(`○ Todo 1 by Ada||✓ Todo 2 by Ada||${buttons}`)
    expect(server.requests).toEqual(['GET /todos?userId=1'])
    expect(new Headers(fetch.mock.calls[0]?.[1]?.headers).get('access-token')).toBe('secret')
  })

  test('an optimistic change shows at once, and what the server says after it', async () => {
    await open('todos')
    server.hold()
    press('toggle 1')
    await pass(20)
    expect(shown()).toContain('✓ Todo 1')
    server.release()
    await pass()
    expect(shown()).toContain('✓ Todo 1')
    expect(server.requests.at(-1)).toBe('PATCH /todos/1 {"completed":true}')
  })

  test('an optimistic change that the server refuses goes again', async () => {
    await open('todos')
    server.refuses = true
    server.hold()
    press('toggle 1')
    await pass(20)
    expect(shown()).toContain('✓ Todo 1')
    server.release()
    await pass()
    expect(shown()).toContain('○ Todo 1')
    expect(screen.getByRole('alert').textContent).toBe('failed with 422')
  })

  test('a new member, a deleted one and another page change it without being asked for again', async () => {
    await open('todos')
    press('more')
    await pass()
    press('add')
    await pass()
    const rest = `○ Todo 3 by Ada||○ Todo 4 by Ada||○ New by Ada||${buttons}`
    expect(shown()).toBe(`○ Todo 1 by Ada||✓ Todo 2 by Ada||${rest}`)
    press('delete 2')
    await pass()
    expect(shown()).toBe(`○ Todo 1 by Ada||${rest}`)
    expect(server.requests).toEqual([
      'GET /todos?userId=1',
      'GET /todos?page=2&userId=1',
      'POST /todos?userId=1 {"userId":1,"title":"New"}',
      'DELETE /todos/2',
    ])
  })

  test('that is invalidated is asked for again, behind the fallback', async () => {
    await open('todos')
    server.hold()
    press('again')
    await pass(600)
    expect(shown()).toContain('Loading')
    server.release()
    await pass()
    expect(shown()).toContain('○ Todo 1')
    expect(server.requests).toEqual(['GET /todos?userId=1', 'GET /todos?userId=1'])
  })
})

test('useDLE, useError, and a read of the controller with its state; setResponse changes what they show', async () => {
  render(<App lines={lines} socket={socket} path="author" />)
  expect(shown()).toBe('…')
  await pass()
  expect(shown()).toBe('Ada fine lookrename')
  press('rename')
  await pass()
  press('look')
  expect(shown()).toBe('Ada Lovelace fine Ada Lovelacelookrename')
  expect(server.requests).toEqual(['GET /users/1'])
})

test('null in place of arguments asks for nothing', async () => {
  await open('nobody')
  expect(shown()).toBe('Nobody fine lookrename')
  expect(server.requests).toEqual([])
})

test('an entity made by schema.Entity is an instance of its class', async () => {
  await open('team')
  expect(shown()).toBe('Blue Team 7')
})

test('a boundary shows the error of what is missing', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await open('missing')
  expect(screen.getByRole('alert').textContent).toBe('Error 404')
})

test('useLive polls', async () => {
  await open('stats')
  expect(shown()).toBe('3 open')
  server.open = 2
  await pass(1_500)
  expect(shown()).toBe('2 open')
  cleanup()
  const before = server.requests.length
  await pass(5_000)
  expect(server.requests).toHaveLength(before)
})

test('a manager takes subscriptions in place of polls, and writes what its socket says', async () => {
  await open('ticker')
  expect(shown()).toBe('no pricehide')
  expect(sent).toEqual(['subscribe [{"id":"BTC"}]'])
  await act(async () => socket.onmessage({ data: '{"id":"BTC","price":5}' }))
  await pass()
  expect(shown()).toBe('BTC 5hide')
  await pass(5_000)
  expect(server.requests).toEqual([])
  press('hide')
  await pass()
  expect(sent.slice(1)).toEqual(['unsubscribe [{"id":"BTC"}]'])
  cleanup()
  await pass()
  expect(sent.slice(2)).toEqual(['close'])
})

test('a 401 logs out once, and what is mounted is asked for again without a token', async () => {
  await open('todos')
  press('expire the session')
  await pass()
  expect(lines.filter((line) => line === 'logout')).toHaveLength(1)
  expect(session.token).toBe('')
  expect(server.requests).toEqual(['GET /todos?userId=1', 'GET /users/401', 'GET /todos?userId=1'])
  expect(shown()).toContain('○ Todo 1')
})

test('middleware sees requests, their ends and the life of the provider', async () => {
  await open('todos')
  press('toggle 1')
  await pass()
  cleanup()
  await pass()
  // 0.10 names what a response writes rdc/set; later versions, and ours, rdc/setresponse. 0.10 sends no rdc/optimistic
  // through a manager that stands before the NetworkManager.
  const set = isOurs ? 'rdc/setresponse' : 'rdc/set'
  expect(lines.filter((line) => !line.startsWith('rdc/optimistic'))).toEqual([
    'rdc/fetch Todo.getList',
    'init',
    `${set} Todo.getList`,
    'rdc/fetch Todo.partialUpdate',
    `${set} Todo.partialUpdate`,
    'cleanup',
  ])
})
