import { type Component, flushSync, mount, unmount } from 'svelte'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openBoard, Todo, type TodoData } from '../../core/engine/todo-board.js'
import { breathe, view } from '../harness.js'
import { handleOf } from './handle.svelte.js'
import AwaitReader from './ways/await-reader.svelte'
import DerivedPage from './ways/derived-page.svelte'
import EarlyPage from './ways/early-page.svelte'
import InlineAwaitReader from './ways/inline-await-reader.svelte'
import KnownReader from './ways/known-reader.svelte'
import LeavingPage from './ways/leaving-page.svelte'
import RootReader from './ways/root-reader.svelte'
import StoreReader from './ways/store-reader.svelte'

const row = (id = '1', title = `t${id}`): TodoData => ({ id, title, userId: '1', votes: 0 })
const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Puts a component on the page; what it shows, and its end. */
async function open(component: unknown, props: Record<string, unknown>) {
  const target = document.body.appendChild(document.createElement('main'))
  // The props of a .svelte file are checked by Svelte's own compiler.
  const page = mount(component as Component<Record<string, unknown>>, { target, props })
  let isOver = false
  const end = async (): Promise<void> => {
    if (isOver) return
    isOver = true
    await unmount(page)
    target.remove()
    await breathe()
  }
  ends.push(end)
  flushSync()
  await breathe()
  return { text: () => target.textContent?.trim(), end }
}

test('atomOf makes a store of a query: a component subscribes with a dollar sign, without any adapter', async () => {
  const { controller, getTodo, server, clock } = openBoard({ retention: false })
  const page = await open(StoreReader, { todo: controller.watch(getTodo, { id: '1' }) })
  expect(page.text()).toBe('pending: nothing')
  await server.one('getTodo').answer(row())
  await breathe()
  expect(page.text()).toBe('ready: t1')
  controller.set(Todo, { id: '1' }, { title: 'edited' })
  await breathe()
  expect(page.text()).toBe('ready: edited')
  await page.end()
  await controller.invalidate(getTodo, { id: '1' })
  await breathe()
  expect(server.requests).toHaveLength(1)
  expect(clock.pending).toBe(0)
})

describe.each([
  ['{#await} of a promise', AwaitReader],
  ['{#await} of a call', InlineAwaitReader],
])('%s', (name, Reader) => {
  const isInline = name.endsWith('call')

  async function openReader() {
    const board = openBoard()
    const handle = handleOf([{ id: '1' }])
    const page = await open(Reader, { controller: board.controller, endpoint: board.getTodo, handle })
    const change = async (id: string): Promise<void> => {
      handle.args = [{ id }]
      await breathe()
    }
    return { ...board, page, change }
  }

  test('waits, shows the data and keeps it up to date', async () => {
    const { controller, server, page } = await openReader()
    expect(page.text()).toBe('loading')
    await server.one('getTodo').answer(row())
    await breathe()
    expect(page.text()).toBe('t1')
    controller.set(Todo, { id: '1' }, { title: 'edited' })
    await breathe()
    expect(page.text()).toBe('edited')
    expect(server.requests).toHaveLength(1)
  })

  test('catches the error of its request', async () => {
    const { server, page } = await openReader()
    await server.one('getTodo').fail()
    await breathe()
    expect(page.text()).toBe('failed: getTodo failed')
  })

  test('shows the error of a refetch, and recovers', async () => {
    const { controller, getTodo, server, page } = await openReader()
    await server.one('getTodo').answer(row())
    controller.expireAll(getTodo)
    await breathe()
    await server.one('getTodo', 1).fail(new Error('503'))
    await breathe()
    expect(page.text()).toBe('later: 503')
    controller.invalidateAll(getTodo)
    await breathe()
    await server.one('getTodo', 2).answer(row('1', 'healed'))
    await breathe()
    expect(page.text()).toBe('healed')
    expect(server.requests).toHaveLength(3)
  })

  test('shows the error of other arguments, and data again for valid ones', async () => {
    const { server, page, change } = await openReader()
    await server.one('getTodo').answer(row())
    await change('2')
    expect(page.text()).toBe(isInline ? 'loading' : 't1')
    await server.one('getTodo', 1).fail(new Error('404'))
    await breathe()
    expect(page.text()).toBe(isInline ? 'failed: 404' : 'later: 404')
    await change('1')
    expect(page.text()).toBe('t1')
    await change('3')
    await server.one('getTodo', 2).answer(row('3'))
    await breathe()
    expect(page.text()).toBe('t3')
    expect(server.requests).toHaveLength(3)
  })
})

test('{#await} of a call shows the data of other arguments after the first ones failed', async () => {
  const { controller, getTodo, server } = openBoard()
  const handle = handleOf([{ id: '1' }])
  const page = await open(InlineAwaitReader, { controller, endpoint: getTodo, handle })
  await server.one('getTodo').fail(new Error('404'))
  await breathe()
  expect(page.text()).toBe('failed: 404')
  handle.args = [{ id: '2' }]
  await breathe()
  await server.one('getTodo', 1).answer(row('2'))
  await breathe()
  expect(page.text()).toBe('t2')
})

test('a $derived await follows plain arguments', async () => {
  const { controller, getTodo, server } = openBoard()
  const handle = handleOf([{ id: '1' }])
  const page = await open(DerivedPage, { controller, view: view('suspense', getTodo), handle })
  expect(page.text()).toBe('loading')
  await server.one('getTodo').answer(row())
  await breathe()
  expect(page.text()).toBe('t1')
  handle.args = [{ id: '2' }]
  await breathe()
  expect(page.text()).toBe('t1')
  await server.one('getTodo', 1).answer(row('2'))
  await breathe()
  expect(page.text()).toBe('t2')
  controller.set(Todo, { id: '2' }, { title: 'edited' })
  await breathe()
  expect(page.text()).toBe('edited')
  expect(server.requests).toHaveLength(2)
})

test('C12: a reader made in an effect root ends with it: nobody subscribes, the request is aborted', async () => {
  const { controller, getTodo, server, clock } = openBoard({ retention: false })
  const endpoint = getTodo.extend({ abortOnUnused: true, pollFrequency: 1_000 })
  let endRoot = (): void => {}
  const page = await open(RootReader, { controller, endpoint, onRoot: (end: () => void) => (endRoot = end) })
  expect(server.requests).toHaveLength(1)
  endRoot()
  await breathe()
  expect(server.one('getTodo').isAborted).toBe(true)
  await clock.advance(60_000)
  expect(server.requests).toHaveLength(1)
  expect(clock.pending).toBe(0)
  await page.end()
})

test('C13: an await in a component goes on before any effect of it has run', async () => {
  const { controller, getTodo, server } = openBoard()
  const notes: string[] = []
  const page = await open(EarlyPage, { controller, endpoint: getTodo, note: (what: string) => notes.push(what) })
  expect(page.text()).toBe('loading')
  expect(notes).toEqual([])
  expect(server.requests).toHaveLength(1)
  await server.one('getTodo').answer(row())
  await breathe()
  expect(page.text()).toBe('t1')
  expect(notes).toEqual(['awaited', 'effect before the await', 'effect after the await'])
  controller.set(Todo, { id: '1' }, { title: 'edited' })
  await breathe()
  expect(page.text()).toBe('edited')
  expect(server.requests).toHaveLength(1)
})

test('C13: an await of stored data continues at once', async () => {
  const { controller, getTodo, server } = openBoard()
  controller.setResponse(getTodo, { id: '1' }, row())
  const notes: string[] = []
  const page = await open(EarlyPage, { controller, endpoint: getTodo, note: (what: string) => notes.push(what) })
  expect(page.text()).toBe('t1')
  expect(notes[0]).toBe('awaited')
  expect(server.requests).toHaveLength(0)
})

test('an awaited read tells later errors, whether it refreshes or loads, and refetches', async () => {
  const { controller, getTodo, server } = openBoard()
  const handle = handleOf([{ id: '1' }])
  const { text } = await open(KnownReader, { controller, read: getTodo, handle })
  await server.one('getTodo', 0).answer(row())
  await breathe()
  expect(text()).toBe('t1')
  const press = async () => {
    document.querySelector('button')?.click()
    await breathe()
  }
  await press()
  expect(text()).toBe('t1 …')
  await server.one('getTodo', 1).fail()
  await breathe()
  expect(text()).toBe('getTodo failed')
  await press()
  expect(text()).toBe('getTodo failed …')
  await server.one('getTodo', 2).answer(row('1', 'new'))
  await breathe()
  expect(text()).toBe('new')
  handle.args = [{ id: '2' }]
  await breathe()
  expect(text()).toBe('new ~')
  await server.one('getTodo', 3).answer(row('2'))
  await breathe()
  expect(text()).toBe('t2')
})

test('a component that leaves while it waits reads nothing of its own afterwards', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { controller, getTodo, server } = openBoard()
  const handle = handleOf([{ id: '1' }])
  const page = await open(LeavingPage, { controller, endpoint: getTodo, handle })
  expect(page.text()).toBe('loading')
  handle.args = [null]
  await breathe()
  await server.one('getTodo').answer(row())
  await breathe()
  handle.args = [{ id: '2' }]
  await breathe()
  await page.end()
  await server.one('getTodo', 1).answer(row('2'))
  await breathe()
  expect(warn.mock.calls).toEqual([])
  warn.mockRestore()
})
