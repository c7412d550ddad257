import {
  type Dehydrated,
  dehydrate,
  dehydrateStream,
  fromDocument,
  hydrate,
  toScript,
} from '@roundtable/core/hydration'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { settle } from '../engine/clock.js'
import { openBoard, Todo } from '../engine/todo-board.js'

const HOSTILE = '</script><script>window.pwned=1</script><!-- \u2028\u2029 & " \' <svg onload=alert(1)>'

function stateWith(title: unknown): Dehydrated {
  const { controller, getTodo } = openBoard({ server: true })
  controller.setResponse(getTodo, { id: '1' }, { id: '1', title: title as string })
  return dehydrate(controller)
}

/** The text of the one script of a page, as a browser's parser finds it. */
function textOf(html: string): string {
  const [, text] = /^<script[^>]*>([\s\S]*?)<\/script>$/i.exec(html) ?? []
  if (text === undefined) throw new Error(`Not one script: ${html}`)
  return text
}

afterEach(() => vi.unstubAllGlobals())

describe('a state in a page', () => {
  test('H9: nothing in it ends the script or starts another, and it is read exactly', () => {
    const html = toScript(stateWith(HOSTILE))
    const text = textOf(html)
    expect(text).not.toMatch(/[<>&\u2028\u2029]/)
    const { controller } = openBoard()
    hydrate(controller, text)
    expect(controller.get(Todo, { id: '1' })?.title).toBe(HOSTILE)
  })

  test('S9: its type is data, so that a policy without inline scripts holds; the nonce is passed on', () => {
    const html = toScript(stateWith('x'), { id: 'a"b', nonce: 'n"><script>' })
    expect(html).toMatch(/^<script type="application\/json" id="a&#34;b" nonce="n&#34;&#62;&#60;script&#62;">/)
    expect(toScript(stateWith('x'))).toMatch(/^<script type="application\/json" id="roundtable-state">/)
  })

  test('the document has it, or there is none', () => {
    expect(fromDocument()).toBeUndefined()
    vi.stubGlobal('document', { getElementById: (id: string) => (id === 'mine' ? { textContent: '{}' } : null) })
    expect(fromDocument('mine')).toBe('{}')
    expect(fromDocument()).toBeUndefined()
    const { controller, reported } = openBoard()
    hydrate(controller, fromDocument())
    expect(reported).toEqual([])
  })

  test('values that are not JSON travel by functions of the application; without them a developer is told', () => {
    const due = new Date(5)
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    toScript(stateWith('text'))
    expect(warn).not.toHaveBeenCalled()
    toScript(stateWith(due))
    expect(warn.mock.calls).toEqual([[expect.stringContaining('1970')]])
    toScript(stateWith(Number.NaN))
    expect(warn.mock.calls).toHaveLength(2)
    warn.mockRestore()
    const mark = (_: string, value: unknown) => (value === due.toISOString() ? `date ${value}` : value)
    const read = (_: string, value: unknown) => (`${value}`.startsWith('date ') ? new Date(`${value}`.slice(5)) : value)
    const html = toScript(stateWith(due), { stringify: (state) => JSON.stringify(state, mark) })
    const { controller } = openBoard()
    hydrate(controller, textOf(html), { parse: (text) => JSON.parse(text, read) })
    expect(controller.get(Todo, { id: '1' })?.title).toEqual(due)
  })
})

describe('a stream of states', () => {
  const read = async (stream: ReadableStream<Dehydrated>): Promise<Dehydrated[]> => {
    const parts: Dehydrated[] = []
    for await (const part of stream as unknown as AsyncIterable<Dehydrated>) parts.push(part)
    return parts
  }

  test('has a part for each microtask with a commit, until its signal aborts', async () => {
    const { controller, getTodo } = openBoard({ server: true })
    const page = new AbortController()
    controller.setResponse(getTodo, { id: '1' }, { id: '1', title: 'a' })
    const parts = read(dehydrateStream(controller, { signal: page.signal }))
    await settle()
    controller.setResponse(getTodo, { id: '2' }, { id: '2', title: 'b' })
    controller.setResponse(getTodo, { id: '3' }, { id: '3', title: 'c' })
    await settle()
    controller.setResponse(getTodo, { id: '4' }, { id: '4', title: 'd' })
    page.abort()
    const all = await parts
    expect(all.map(({ results }) => results.length)).toEqual([1, 2, 1])
    controller.setResponse(getTodo, { id: '5' }, { id: '5', title: 'e' })
    const browser = openBoard()
    for (const part of all) hydrate(browser.controller, part)
    for (const [id, title] of [
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'c'],
      ['4', 'd'],
    ] as const)
      expect(browser.controller.watch(browser.getTodo, { id }).getSnapshot().data).toMatchObject({ title })
  })

  test('S3: a page that fails on its way leaves nothing behind: the stream ends, and disposing ends the rest', async () => {
    const { controller, getTodo, clock, reported } = openBoard({ server: true })
    const page = new AbortController()
    const reader = dehydrateStream(controller, { signal: page.signal }).getReader()
    const loading = controller.fetch(getTodo, { id: '1' })
    loading.catch(() => {})
    await reader.cancel(new Error('the connection is gone'))
    controller.dispose()
    await expect(loading).rejects.toMatchObject({ code: 'DISPOSED' })
    page.abort()
    await settle()
    expect(clock.pending).toBe(0)
    expect(reported).toEqual([])
  })
})

describe('while a page is taken over', () => {
  const open = () => {
    const server = openBoard({ server: true })
    server.controller.setResponse(server.getTodos, {}, [{ id: '1', title: 'rendered', userId: '1', votes: 0 }])
    const board = openBoard()
    hydrate(board.controller, dehydrate(server.controller))
    return board
  }

  test('readers are told what the server has rendered, whatever came since, and their own snapshot is the present one', async () => {
    const { controller, getTodos, getTodo, clock } = open()
    controller.setResponse(getTodo, { id: '1' }, { id: '1', title: 'newer', userId: '1', votes: 0 })
    const query = controller.watch(getTodos, {})
    const todo = controller.view(Todo, { id: '1' })
    const peek = controller.peek(getTodos, {})
    expect(query.getServerSnapshot?.()).toMatchObject({ status: 'ready', data: [{ title: 'rendered' }] })
    expect(query.getServerSnapshot?.()).toBe(query.getServerSnapshot?.())
    expect(todo.getServerSnapshot?.()).toMatchObject({ title: 'rendered' })
    expect(peek.getServerSnapshot?.()).toMatchObject([{ title: 'rendered' }])
    expect(query.getSnapshot().data).toMatchObject([{ title: 'newer' }])
    await clock.advance(60_001)
    expect(query.getServerSnapshot?.()).toBe(query.getSnapshot())
  })

  test('what has not changed is the same object, so nothing renders twice', () => {
    const { controller, getTodos } = open()
    const query = controller.watch(getTodos, {})
    expect(query.getServerSnapshot?.()).toBe(query.getSnapshot())
  })

  test('data that was invalidated meanwhile was rendered all the same', () => {
    const { controller, getTodos } = open()
    const query = controller.watch(getTodos, {})
    controller.invalidate(getTodos, {})
    expect(query.getSnapshot().status).toBe('pending')
    expect(query.getServerSnapshot?.()).toMatchObject({ status: 'ready', data: [{ title: 'rendered' }] })
  })

  test('a key that the server did not have shows what there is', () => {
    const { controller, getTodo } = open()
    controller.setResponse(getTodo, { id: '9' }, { id: '9', title: 'here' })
    const query = controller.watch(getTodo, { id: '9' })
    expect(query.getServerSnapshot?.()).toBe(query.getSnapshot())
  })

  test('after a reset nothing of it is shown', () => {
    const { controller, getTodos } = open()
    const query = controller.watch(getTodos, {})
    controller.resetEntireStore()
    expect(query.getServerSnapshot?.()).toMatchObject({ status: 'pending' })
  })
})
