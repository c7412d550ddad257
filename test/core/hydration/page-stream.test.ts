import { dehydrate, receiveState, streamState, toStatement } from '@roundtable/core/hydration'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openBoard, Todo } from '../engine/todo-board.js'

const HOSTILE = '</script><script>window.pwned=1</script><!-- \u2028\u2029 & " \' \\ <svg onload=alert(1)>'

/** What a browser does with a script of a page. */
function run(statement: string): void {
  new Function('self', statement)(globalThis)
}

function boardWith(title: string) {
  const board = openBoard({ server: true })
  board.controller.setResponse(board.getTodo, { id: '1' }, { id: '1', title })
  return board
}

beforeEach(() => vi.stubGlobal('document', {}))
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(globalThis, 'roundtable')
})

describe('a page that is streamed', () => {
  const encoder = new TextEncoder()

  /** A page whose parts are written one after the other, each when the one before it has been read. */
  function openPage() {
    const board = openBoard({ server: true, env: undefined })
    const page: { write: (html: string) => void; close: () => void } = { write: () => {}, close: () => {} }
    const html = new ReadableStream<Uint8Array>({
      start(stream) {
        page.write = (text) => stream.enqueue(encoder.encode(text))
        page.close = () => stream.close()
      },
    })
    const reader = streamState(html, board.controller, { nonce: 'n"1' }).getReader()
    const readTo = async (end: string): Promise<string> => {
      let text = ''
      while (!text.endsWith(end)) text += new TextDecoder().decode((await reader.read()).value)
      return text
    }
    return { ...board, ...page, readTo, reader }
  }

  const task = () => new Promise((resolve) => setTimeout(resolve, 20))

  test('has the state of its first part behind it, and of each other part before it', async () => {
    const { controller: server, getTodo, write, close, readTo, reader } = openPage()
    server.setResponse(getTodo, { id: '1' }, { id: '1', title: 'one' })
    write('<!doctype html><html><body>sh')
    write('ell')
    let html = await readTo('</script>')
    server.setResponse(getTodo, { id: '2' }, { id: '2', title: 'two' })
    write('<div>part</div>')
    html += await readTo('</div>')
    write('</body></html>')
    html += await readTo('</html>')
    close()
    expect(await reader.read()).toEqual({ done: true, value: undefined })
    expect(html.replaceAll(/JSON\.parse\(.*?\)\)</g, '…<')).toBe(
      '<!doctype html><html><body>shell<script nonce="n&#34;1">(self.roundtable??=[]).push(…</script>' +
        '<script nonce="n&#34;1">(self.roundtable??=[]).push(…</script><div>part</div></body></html>',
    )
    const [first = '', second = ''] = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/g)].map(([, code]) => code)
    expect(first).toContain('one')
    expect(second).not.toContain('one')
    const { controller } = openBoard()
    run(first)
    run(second)
    receiveState(controller)
    expect(controller.getResponse(getTodo, { id: '2' }).data).toMatchObject({ title: 'two' })
  })

  test('ends when its reader leaves', async () => {
    const { controller } = openBoard({ server: true, env: undefined })
    let isCancelled = false
    const html = new ReadableStream<Uint8Array>({
      async pull(stream) {
        await task()
        stream.enqueue(encoder.encode('<p>'))
      },
      cancel: () => {
        isCancelled = true
      },
    })
    const reader = streamState(html, controller).getReader()
    await reader.read()
    await reader.cancel()
    await task()
    expect(isCancelled).toBe(true)
  })
})

describe('a state as a statement', () => {
  test('S9: cannot leave its script, and is read exactly', () => {
    const { controller } = boardWith(HOSTILE)
    const statement = toStatement(dehydrate(controller))
    expect(statement).not.toMatch(/[<>&\u2028\u2029]/)
    run(statement)
    const { controller: received } = openBoard()
    receiveState(received)
    expect(received.get(Todo, { id: '1' })?.title).toBe(HOSTILE)
  })

  test('is data: a field named __proto__ is a field', () => {
    const title = JSON.parse('{"__proto__":{"isAdmin":true}}')
    const { controller } = boardWith(title)
    run(toStatement(dehydrate(controller)))
    const queue: unknown = Reflect.get(globalThis, 'roundtable')
    expect(JSON.stringify(queue)).toContain('"__proto__":{"isAdmin":true}')
  })
})

describe('receiving states', () => {
  test('takes what has come, and then each as it comes, until it is ended', () => {
    const { controller, getTodo } = openBoard()
    run(toStatement(dehydrate(boardWith('one').controller)))
    const stop = receiveState(controller)
    const title = () => controller.getResponse(getTodo, { id: '1' }).data?.title
    expect(title()).toBe('one')
    run(toStatement(dehydrate(boardWith('two').controller)))
    expect(title()).toBe('two')
    stop()
    run(toStatement(dehydrate(boardWith('three').controller)))
    expect(title()).toBe('two')
    receiveState(controller)
    expect(title()).toBe('three')
  })

  test('while rendering leaves everything for the controller that is used in the end', () => {
    run(toStatement(dehydrate(boardWith('one').controller)))
    const { controller: discarded, getTodo } = openBoard()
    receiveState(discarded, { isRendering: true })
    expect(discarded.getResponse(getTodo, { id: '1' }).data?.title).toBe('one')
    const { controller } = openBoard()
    receiveState(controller)
    expect(controller.getResponse(getTodo, { id: '1' }).data?.title).toBe('one')
  })

  test('does nothing on a server', () => {
    vi.unstubAllGlobals()
    receiveState(openBoard({ server: true }).controller)
    expect('roundtable' in globalThis).toBe(false)
  })
})

test('what was hydrated is left out where whoever sent it also sends it to the browser', () => {
  const { controller, getTodo } = openBoard({ server: true })
  run(toStatement(dehydrate(boardWith('one').controller)))
  receiveState(controller)
  controller.setResponse(getTodo, { id: '2' }, { id: '2', title: 'two' })
  const { rows, results } = dehydrate(controller, { hydrated: false })
  expect(JSON.stringify([rows, results])).not.toContain('one')
  expect(JSON.stringify([rows, results])).toContain('two')
  expect(JSON.stringify(dehydrate(controller))).toContain('one')
})
