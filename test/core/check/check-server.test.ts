import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkServer, expectServer, ServerCheckError } from '@roundtable/core/check'
import { describe, expect, test } from 'vitest'
import { type Fault, openFaulty, PagedTodos, Todos, withBody } from './faulty.js'

/** What is not ok and was not skipped, as 'rule verdict: detail'. */
async function found(fault?: Fault, definition: typeof Todos | typeof PagedTodos = Todos): Promise<readonly string[]> {
  const { definition: resource, options } = openFaulty(fault, definition)
  const results = await checkServer(resource, options)
  return results
    .filter(({ verdict }) => verdict === 'fails' || verdict === 'warns')
    .map(({ rule, verdict, detail }) => `${rule} ${verdict}: ${detail}`)
}

const isItem = ({ url }: Request): boolean => /\/todos\/\d+$/.test(url)
const isList = ({ method, url }: Request): boolean => method === 'GET' && /\/todos(?:\?|$)/.test(url)

describe('a server without fault', () => {
  test.each([
    ['a list', Todos],
    ['pages', PagedTodos],
  ] as const)('with %s: nothing is found, and no row is left', async (_, definition) => {
    const { api, options, seeded } = openFaulty(undefined, definition)
    const results = await checkServer(definition, options)
    expect(results.filter(({ verdict }) => verdict !== 'ok' && verdict !== 'skipped')).toEqual([])
    const skipped = results.filter(({ verdict }) => verdict === 'skipped').map(({ rule }) => rule)
    expect(skipped).toEqual(definition === Todos ? ['pages-end', 'pages-disjoint'] : [])
    expect(results).toHaveLength(24)
    expect(api.rows('Todo')).toHaveLength(seeded)
  })
})

describe('one planted fault is named, with its place', () => {
  let hidden: string | undefined
  const faults: readonly (readonly [name: string, fault: Fault, expected: string])[] = [
    [
      'a list in an envelope',
      async (request, answer) => (isList(request) ? withBody(await answer(), (data) => ({ data })) : answer()),
      'list-place fails: GET https://api.test/todos: the schema has a list there, found {"data":[',
    ],
    [
      'a row without key',
      async (request, answer) =>
        isList(request)
          ? withBody(await answer(), (rows: object[]) => rows.map((row, i) => (i === 1 ? { ...row, id: null } : row)))
          : answer(),
      'list-keys fails: GET https://api.test/todos: row 1 has no primary key',
    ],
    [
      'a row that comes twice',
      async (request, answer) =>
        isList(request) ? withBody(await answer(), (rows: object[]) => [...rows, ...rows.slice(0, 1)]) : answer(),
      'list-keys-unique fails: GET https://api.test/todos: rows 0 and 9 are both Todo 1.',
    ],
    [
      'keys as text',
      async (request, answer) =>
        isList(request)
          ? withBody(await answer(), (rows: { id: number }[]) => rows.map((row) => ({ ...row, id: `${row.id}` })))
          : answer(),
      'list-types fails: GET https://api.test/todos: $[0].id is the string "1", Todo has a number.',
    ],
    [
      'a filter that is ignored',
      (request, answer) => answer(isList(request) ? new Request(request.url.replace(/userId=\d+/, '')) : request),
      'list-filters fails: GET https://api.test/todos?userId=0 has row 2 with userId 1: the filter is no equality.',
    ],
    [
      '404 for an empty list',
      async (request, answer) => {
        const response = await answer()
        const isEmpty = isList(request) && (await response.clone().text()) === '[]'
        return isEmpty ? Response.json({ error: 'None' }, { status: 404 }) : response
      },
      'list-empty fails: GET https://api.test/todos?userId=1000005 responded with 404: a list without rows is an empty list.',
    ],
    [
      'an item that differs from the list',
      async (request, answer) =>
        isItem(request) && request.method === 'GET' && request.url.endsWith('/1')
          ? withBody(await answer(), (row: object) => ({ ...row, title: 'other' }))
          : answer(),
      'item-as-listed fails: GET https://api.test/todos/1 has title "other", the list "t0".',
    ],
    [
      '200 for a row that does not exist',
      async (request, answer) => {
        const response = await answer()
        return response.status === 404 && request.method === 'GET' ? Response.json(null) : response
      },
      'item-404 fails: GET https://api.test/todos/1000012 responded with 200 for a row that does not exist, not 404.',
    ],
    [
      'errors as HTML',
      async (_, answer) => {
        const response = await answer()
        if (response.status !== 404) return response
        return new Response('<h1>Not found</h1>', { status: 404, headers: { 'content-type': 'text/html' } })
      },
      'errors-json fails: GET https://api.test/todos/1000012 responded with 404, and the content-type is text/html, not JSON.',
    ],
    [
      'no 304',
      (request, answer) => {
        const headers = new Headers(request.headers)
        headers.delete('if-none-match')
        return answer(new Request(request, { headers }))
      },
      'etag-304 fails: GET https://api.test/todos/1 responded with 200 to its own If-None-Match "',
    ],
    [
      'If-Match is ignored',
      (request, answer) => {
        const headers = new Headers(request.headers)
        headers.delete('if-match')
        return answer(new Request(request, { headers }))
      },
      'if-match-412 fails: PATCH https://api.test/todos/10 responded with 200 to If-Match with an older ETag, not 412',
    ],
    [
      'POST answers with a receipt',
      async (request, answer) =>
        request.method === 'POST' ? withBody(await answer(), () => ({ message: 'ok' })) : answer(),
      'create-row fails: POST https://api.test/todos ',
    ],
    [
      'a new row is not in the list',
      async (request, answer) => {
        if (!isList(request)) return answer()
        return withBody(await answer(), (rows: { id: number }[]) => rows.filter(({ id }) => id < 10))
      },
      'create-listed fails: GET https://api.test/todos does not have row 10, which was just created.',
    ],
    [
      'PATCH that resets other fields',
      async (request, answer, api) => {
        if (request.method === 'PATCH') api.put('Todo', { id: Number(request.url.split('/').at(-1)), userId: 0 })
        return answer()
      },
      'patch-others fails: GET https://api.test/todos/10: a change of title made userId 0, it was 1.',
    ],
    [
      'an ETag that stays',
      async ({ headers }, answer) => {
        if (headers.get('if-none-match') === '"1"') return new Response(null, { status: 304 })
        const response = await answer()
        if (response.headers.has('etag')) response.headers.set('etag', '"1"')
        return response
      },
      'etag-changes fails: GET https://api.test/todos/10 has the ETag "1" of before the change.',
    ],
    [
      'PUT that answers with another row',
      async (request, answer) =>
        request.method === 'PUT' ? withBody(await answer(), (row: object) => ({ ...row, id: 1 })) : answer(),
      'put-row fails: PUT https://api.test/todos/10 responded with row 1.',
    ],
    [
      'an Idempotency-Key that is ignored',
      (request, answer) => {
        const headers = new Headers(request.headers)
        headers.delete('idempotency-key')
        return answer(new Request(request, { headers }))
      },
      'idempotency-key warns: POST https://api.test/todos with the Idempotency-Key of before made row 12 after 11',
    ],
    [
      'a deleted row that stays in the list',
      async (request, answer) => {
        if (request.method === 'DELETE') hidden = request.url
        if (!isList(request) || hidden === undefined) return answer()
        return withBody(await answer(), (rows: object[]) => [...rows, { id: Number(hidden?.split('/').at(-1)) }])
      },
      'delete-gone fails: GET https://api.test/todos has row 10 after DELETE.',
    ],
    [
      'a second DELETE that breaks the server',
      async (request, answer) => {
        const response = await answer()
        const isBroken = request.method === 'DELETE' && response.status === 404
        return isBroken ? Response.json({}, { status: 500 }) : response
      },
      'delete-twice fails: DELETE https://api.test/todos/10 for a row that is gone responded with 500, not 404 or 204.',
    ],
  ]

  test.each(faults)('%s', async (_, fault, expected) => {
    hidden = undefined
    const [first = '', ...others] = await found(fault)
    expect([first, ...others].filter((line) => !line.startsWith(expected.split(':')[0] ?? ''))).toEqual([])
    expect(first).toContain(expected)
  })

  const pages: typeof faults = [
    [
      'pages that share a row',
      async (request, answer) =>
        /page=2/.test(request.url)
          ? withBody(await answer(), (rows: object[]) => [{ id: 4, userId: 0, title: 't3', done: false }, ...rows])
          : answer(),
      'pages-disjoint fails: GET https://api.test/todos?page=2 has row 4, and so has GET https://api.test/todos.',
    ],
    [
      'pages that do not end',
      (request, answer) => answer(new Request(request.url.replace(/page=\d{3,}/, 'page=1'), request)),
      'pages-end fails: GET https://api.test/todos?page=1000000 has 4 rows: the pages do not end.',
    ],
  ]
  test.each(pages)('%s', async (_, fault, expected) => expect(await found(fault, PagedTodos)).toEqual([expected]))
})

describe('rows of the check', () => {
  test('are deleted after a failure too', async () => {
    const { api, options, seeded } = openFaulty((request, answer) => {
      if (request.method === 'PATCH') throw new Error('broken')
      return answer()
    })
    const results = await checkServer(Todos, options)
    expect(results.find(({ rule }) => rule === 'patch-row')).toMatchObject({ verdict: 'fails' })
    expect(api.rows('Todo')).toHaveLength(seeded)
  })

  test('that cannot be deleted are named', async () => {
    const lines = await found((request, answer) =>
      request.method === 'DELETE' ? Response.json({}, { status: 500 }) : answer(),
    )
    expect(lines).toEqual(['delete-gone fails: Rows of the check are left: 10, 11.'])
  })
})

test.each([{ readOnly: true }, { example: undefined }])('%o sends GET alone', async (only) => {
  const { sent, options } = openFaulty()
  const results = await checkServer(Todos, { ...options, ...only })
  expect(new Set(sent.map((line) => line.split(' ')[0]))).toEqual(new Set(['GET']))
  expect(results.find(({ rule }) => rule === 'create-row')).toMatchObject({ verdict: 'skipped' })
})

describe('a server that lies', () => {
  const first = async (fault: Fault, more = {}): Promise<string> => {
    const { options } = openFaulty(fault)
    const [result] = await checkServer(Todos, { ...options, ...more })
    return `${result?.verdict}: ${result?.detail}`
  }

  test('with HTML', async () => {
    const html = () => new Response('<!doctype html><p>Hi', { headers: { 'content-type': 'text/html' } })
    expect(await first(html)).toMatch(/^fails: GET https:\/\/api\.test\/todos \(200, with HTML\): Got HTML from /)
    const broken = () => new Response('<html>', { status: 502 })
    expect(await first(broken)).toBe('fails: GET https://api.test/todos responded with 502, with HTML.')
  })

  test('that never answers', async () => {
    const never: Fault = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    expect(await first(never, { timeout: 20 })).toMatch(/^fails: .*todos.* took longer than 20 ms\./)
  })

  test('that is not there', async () => {
    const away: Fault = () => Promise.reject(new TypeError('fetch failed'))
    expect(await first(away)).toMatch(/^fails: GET https:\/\/api\.test\/todos got no response\./)
  })

  test('that redirects', async () => {
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/todos')) return response.writeHead(302, { location: `/login` }).end()
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><form>')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const urlPrefix = `http://127.0.0.1:${port}`
    const [result] = await checkServer(Todos, { urlPrefix })
    server.close()
    expect(result?.verdict).toBe('fails')
    expect(result?.detail).toContain(`GET ${urlPrefix}/todos (200, with HTML, redirected to ${urlPrefix}/login): `)
  })
})

test('expectServer fails with all rules that are not kept', async () => {
  const { options } = openFaulty((request, answer) =>
    isItem(request) && request.method === 'GET' ? Response.json(null) : answer(),
  )
  const error = await expectServer(Todos, options).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ServerCheckError)
  expect(String(error)).toMatch(
    /^ServerCheckError: The server does not keep \d rules:\n {2}item-as-listed: GET .*\n {2}item-404: /,
  )
  expect(await expectServer(Todos, openFaulty().options)).toHaveLength(24)
})

test('what is no resource is an error at once', async () => {
  await expect(checkServer({})).rejects.toThrow(
    /'resource' has neither getList nor get with rows in its schema, found an object/,
  )
})
