import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import * as errors from '../../core/src/util/errors.js'
import { safeUrl } from '../../core/src/util/safe-url.js'

const cause = new Error('below')
const made: readonly (readonly [error: errors.RoundtableError, name: string, code: string, facts: object])[] = [
  [
    new errors.TransportError('https://ann:pw@api.test/todos?token=t', 'GET', { cause }),
    ...(['TransportError', 'TRANSPORT', { url: 'https://api.test/todos?token=***', method: 'GET' }] as const),
  ],
  [
    new errors.TimeoutError('GET https://ann:pw@api.test/todos', 5_000, { cause }),
    ...(['TimeoutError', 'TIMEOUT', { key: 'GET https://api.test/todos', timeout: 5_000 }] as const),
  ],
  [
    new errors.ResponseParseError('https://api.test/todos', 200, 'application/json', '<'.repeat(500), { cause }),
    ...([
      'ResponseParseError',
      'RESPONSE_PARSE',
      { status: 200, contentType: 'application/json', excerpt: '<'.repeat(200) },
    ] as const),
  ],
  [
    new errors.SchemaError('$[57].author', 'an object', 'an array', { cause }),
    ...(['SchemaError', 'SCHEMA', { path: '$[57].author', expected: 'an object', found: 'an array' }] as const),
  ],
  [
    new errors.MissingPkError('Todo', '$[3]', { cause }),
    ...(['MissingPkError', 'MISSING_PK', { kind: 'Todo', path: '$[3]' }] as const),
  ],
  [
    new errors.UrlParamError('getUser', '/user/:id', 'id', 'is missing', { cause }),
    ...([
      'UrlParamError',
      'URL_PARAM',
      { endpoint: 'getUser', template: '/user/:id', param: 'id', reason: 'is missing' },
    ] as const),
  ],
  [
    new errors.UrlOriginError('getFile', 'https://api.test', 'https://evil.test', { cause }),
    ...([
      'UrlOriginError',
      'URL_ORIGIN',
      { endpoint: 'getFile', expected: 'https://api.test', found: 'https://evil.test' },
    ] as const),
  ],
  [
    new errors.KeyArgError('$.a', 'is a function', { cause }),
    'KeyArgError',
    'KEY_ARG',
    { path: '$.a', reason: 'is a function' },
  ],
  [
    new errors.OptionError('path', "is wrong at position 2 of '/x}'.", { cause, template: '/x}', position: 2 }),
    ...([
      'OptionError',
      'OPTION',
      { option: 'path', reason: "is wrong at position 2 of '/x}'.", template: '/x}', position: 2 },
    ] as const),
  ],
  [new errors.DepthError(20_000, { cause }), 'DepthError', 'DEPTH', { depth: 20_000 }],
  [
    new errors.CallbackError('errorPolicy', 'getTodos', { cause }),
    ...(['CallbackError', 'CALLBACK', { callback: 'errorPolicy', endpoint: 'getTodos' }] as const),
  ],
  [
    new errors.CreationError('PATCH /todos/optimistic:2', 'optimistic:2', 'POST /todos', { cause }),
    ...([
      'CreationError',
      'CREATION',
      { key: 'PATCH /todos/optimistic:2', temporaryKey: 'optimistic:2', creation: 'POST /todos' },
    ] as const),
  ],
  [new errors.DeletedError('GET /todos/5', { cause }), 'DeletedError', 'DELETED', { key: 'GET /todos/5', status: 404 }],
  [new errors.ResetError('GET /todos', { cause }), 'ResetError', 'RESET', { key: 'GET /todos' }],
  [new errors.DisposedError('fetch', { cause }), 'DisposedError', 'DISPOSED', { action: 'fetch' }],
  [
    new errors.HydrationError('is of version 9', { cause }),
    'HydrationError',
    'HYDRATION',
    { reason: 'is of version 9' },
  ],
]

describe('errors', () => {
  test.each(made)('%s has its name, code, facts and cause', (error, name, code, facts) => {
    expect(error).toBeInstanceOf(errors.RoundtableError)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name, code, ...facts })
    expect(error.cause).toBe(cause)
    expect(error.message).toMatch(/^.+\. See node_modules\/@roundtable\/core\/docs\/errors\/[A-Z_]+\.md$/s)
    expect(String(error)).toBe(`${name}: ${error.message}`)
  })

  test.each(made)('%s mentions its facts', (error, _name, _code, facts) => {
    for (const fact of Object.values(facts))
      expect(error.message.replace(/\.$/, '')).toContain(`${fact}`.replace(/\.$/, ''))
  })

  test('none shows a password or a token of the URLs that it names, in whatever field', () => {
    const url = 'https://ann:hunter2@api.test/todos/:id?token=hunter2'
    const path = 'https\\://ann\\:hunter2@api.test/todos/:id'
    const shown = [
      new errors.UrlParamError(url, path, 'id', 'is missing'),
      new errors.UrlOriginError(url, url, url),
      new errors.OptionError('path', `'${path}' is wrong.`, { template: path }),
      new errors.OptionError('path', '', { message: `The endpoint '${path}' is wrong.` }),
      new errors.CallbackError('key', url),
      new errors.KeyArgError('$', 'is a function', { endpoint: url }),
    ]
    expect(shown.map((error) => inspect(error)).join()).not.toContain('hunter2')
  })

  test('every class has a code of its own', () => {
    expect(new Set(made.map(([error]) => error.code)).size).toBe(Object.keys(errors).length - 1)
  })

  test('without a cause they have none', () => {
    expect('cause' in new errors.DepthError(1)).toBe(false)
  })

  test('a missing primary key is a schema error', () => {
    expect(new errors.MissingPkError('Todo', '$')).toBeInstanceOf(errors.SchemaError)
  })
})

describe('safeUrl', () => {
  const table: readonly (readonly [url: string, safe: string])[] = [
    ['/todos', '/todos'],
    ['https://api.test/todos/5?page=2', 'https://api.test/todos/5?page=2'],
    ['https://ann:pw@api.test/todos', 'https://api.test/todos'],
    ['https://ann@api.test', 'https://api.test'],
    ['https://a@b:c@api.test/x@y', 'https://api.test/x@y'],
    ['//ann:pw@api.test/', '//api.test/'],
    ['GET https://ann:pw@api.test/x', 'GET https://api.test/x'],
    ['/todos/ann@x.test', '/todos/ann@x.test'],
    ['/x?access_token=abc&page=2', '/x?access_token=***&page=2'],
    ['/x?page=2&apiKey=abc#top', '/x?page=2&apiKey=***#top'],
    ['/x?author=ann', '/x?author=ann'],
    ['https\\://ann\\:pw@api.test/x', 'https\\://api.test/x'],
    ["https://ann:p'w@api.test/x?next=https://ann:pw@api.test", 'https://api.test/x?next=https://api.test'],
    ['/x?Signature=abc&SESSION=1&secret=', '/x?Signature=***&SESSION=***&secret=***'],
  ]
  test.each(table)('%j is shown as %j', (url, safe) => {
    expect(safeUrl(url)).toBe(safe)
  })

  test('takes time that grows with the length only', () => {
    // Quadratic work on this much runs into the test's time limit.
    for (const sign of ['?', '&', '?a', '//', ':', '@', 'token']) {
      expect(safeUrl(`${sign.repeat(300_000)}/end`)).toMatch(/end$/)
    }
  })
})
